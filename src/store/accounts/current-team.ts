/**
 * The current team of an account, in which it acts: what it makes from now on belongs to that team, and lists show what that team shares.
 * Rows made in it name no team, like those of releases that know one team per account; whoever leaves it fills the name in.
 */
import type { TeamRole } from '../../rules/accounts/team-role.ts';
import {
  findRow,
  insertRow,
  lockAccount,
  type Row,
  type RowValues,
  type Script,
  selectAll,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { teamMemberRow, teamRow } from '../db/shared-rows.ts';
import { isUnnamedTask } from '../db/teammates.ts';
import { type Team, teamNotFound } from './teams.ts';

/** What belongs to a team by a column of its own, with its key. Tasks first, locked in the order in which batches lock them. */
const owned = [
  { table: 'tasks', key: 'id' },
  { table: 'schedules', key: 'id' },
  { table: 'triggers', key: 'id' },
  { table: 'websites', key: 'id' },
  { table: 'oauth_apps', key: 'client_id' },
] as const;

/** Names a team in everything of the account that names none; '' stands for no team. */
function* nameTeam(accountId: string, teamId: string): Script<void> {
  for (const { table, key } of owned) {
    const where = `account_id = ? AND ${table === 'tasks' ? isUnnamedTask : 'team_id IS NULL'}`;
    yield* selectAll(`SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${key} FOR UPDATE`, accountId);
    yield [sql(`UPDATE ${table} SET team_id = ? WHERE ${where}`, teamId, accountId)];
  }
}

/** Ends the membership in the current team if it is this one; the account is locked. What was made in the team still belongs to it. */
export function* leaveCurrentTeam(accountId: string, teamId: string): Script<void> {
  if (!(yield* findRow('team_id', 'team_members', { account_id: accountId, team_id: teamId }))) return;
  yield* nameTeam(accountId, teamId);
  yield [sql('DELETE FROM team_members WHERE account_id = ? AND team_id = ?', accountId, teamId)];
}

const ownTeam = teamRow.pick('team_id as id, name, created_at');

/** A team of an account, with its role there. */
export type OwnTeam = Team & { role: TeamRole; isCurrent: boolean };

/** The teams of an account by their names. */
export const listTeamsOf: StoreOperation<string, OwnTeam[]> = {
  name: 'teams.listOf',
  access: 'read',
  *run(accountId) {
    const select = (table: string) =>
      `SELECT ${ownTeam.columnsOf('t')}, m.role FROM ${table} m JOIN teams t ON t.team_id = m.team_id WHERE m.account_id = ?`;
    const current = yield* selectAll(select('team_members'), accountId);
    const others = yield* selectAll(select('other_memberships'), accountId);
    const read = (isCurrent: boolean) => (row: Row) => ({
      ...ownTeam.read(row),
      role: teamMemberRow.role(row),
      isCurrent,
    });
    const teams = [...current.map(read(true)), ...others.map(read(false))];
    return teams.toSorted((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
  },
};

function storedOf(membership: Row): RowValues {
  return {
    account_id: teamMemberRow.account_id(membership),
    team_id: teamMemberRow.team_id(membership),
    role: teamMemberRow.role(membership),
    joined_at: teamMemberRow.joined_at(membership),
  };
}

/** Makes another team of an account its current one; 404 for one that the account is not in. */
export const switchTeam: StoreOperation<{ accountId: string; teamId: string }, null> = {
  name: 'teams.switch',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, teamId }) {
    yield* lockAccount(accountId);
    const memberships = 'account_id, team_id, role, joined_at';
    const before = yield* findRow(memberships, 'team_members', { account_id: accountId });
    if (before && teamMemberRow.team_id(before) === teamId) return null;
    const next = yield* findRow(memberships, 'other_memberships', { account_id: accountId, team_id: teamId });
    if (!next) throw teamNotFound();
    yield* nameTeam(accountId, before ? teamMemberRow.team_id(before) : '');
    yield [
      sql('DELETE FROM team_members WHERE account_id = ?', accountId),
      sql('DELETE FROM other_memberships WHERE account_id = ? AND team_id = ?', accountId, teamId),
      ...(before ? [insertRow('other_memberships', storedOf(before))] : []),
      insertRow('team_members', storedOf(next)),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }, { topic: 'skills' }],
};
