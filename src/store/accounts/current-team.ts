/**
 * The current team of an account, in which it acts: what it makes from now on belongs to that team, and lists show what that team shares.
 * Rows made in it name no team, like those of releases that know one team per account; whoever leaves it fills the name in.
 */
import type { TeamRole } from '../../rules/accounts/team-role.ts';
import { computedCodec, flag } from '../db/row-codec.ts';
import {
  findRow,
  insertRow,
  lockAccount,
  marks,
  padToPowerOfTwo,
  type Row,
  type RowValues,
  type Script,
  selectAll,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { taskRow, teamMemberRow, teamRow } from '../db/shared-rows.ts';
import { isUnnamedTask } from '../db/teammates.ts';
import { noteSecurityEvent } from './security-events.ts';
import { type Team, teamNotFound } from './teams.ts';

/**
 * What belongs to a team by a column of its own, with its key, in the order in which everything locks it: schedules and triggers before the
 * tasks that they start and continue, tasks before their websites. So a task that is started meanwhile is there when tasks are named.
 */
const owned = [
  { table: 'schedules', key: 'id' },
  { table: 'triggers', key: 'id' },
  { table: 'tasks', key: 'id' },
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

/** Names a team in what was made in it, if it is the current one of an account that is about to leave it; the account is locked. */
export function* nameCurrentTeam(accountId: string, teamId: string): Script<void> {
  if (!(yield* findRow('team_id', 'team_members', { account_id: accountId, team_id: teamId }))) return;
  yield* nameTeam(accountId, teamId);
}

const ownTeam = teamRow.pick('team_id as id, name, created_at');
const currentRow = computedCodec('teams of an account', { is_current: flag });

/** A team of an account, with its role there. */
export type OwnTeam = Team & { role: TeamRole; isCurrent: boolean };

/** The teams of an account by their names. */
export const listTeamsOf: StoreOperation<string, OwnTeam[]> = {
  name: 'teams.listOf',
  access: 'read',
  *run(accountId) {
    const select = (table: string, isCurrent: 0 | 1) =>
      `SELECT ${ownTeam.columnsOf('t')}, m.role, ${isCurrent} AS is_current FROM ${table} m JOIN teams t ON t.team_id = m.team_id
       WHERE m.account_id = ?`;
    // One statement, which sees a switch as a whole or not at all.
    const rows = yield* selectAll(
      `${select('team_members', 1)} UNION ALL ${select('other_memberships', 0)}`,
      accountId,
      accountId,
    );
    const teams = rows.map((row) => ({
      ...ownTeam.read(row),
      role: teamMemberRow.role(row),
      isCurrent: currentRow.is_current(row),
    }));
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

export interface SwitchArgs {
  accountId: string;
  teamId: string;
  /** The caller for the security record, in the form of `actorOf`. */
  actor: string;
  now: number;
}

/**
 * Makes another team of an account its current one; 404 for one that the account is not in. Alone in its transaction, because it locks all
 * tasks of the account that name no team.
 */
export const switchTeam: StoreOperation<SwitchArgs, null> = {
  name: 'teams.switch',
  access: 'exclusive',
  *run({ accountId, teamId, actor, now }) {
    yield* lockAccount(accountId);
    const memberships = 'account_id, team_id, role, joined_at';
    const before = yield* findRow(memberships, 'team_members', { account_id: accountId });
    if (before && teamMemberRow.team_id(before) === teamId) return null;
    const next = yield* findRow(memberships, 'other_memberships', { account_id: accountId, team_id: teamId });
    const team = yield* findRow('name', 'teams', { team_id: teamId });
    if (!next || !team) throw teamNotFound();
    const left = before ? teamMemberRow.team_id(before) : '';
    yield* nameTeam(accountId, left);
    yield [
      sql('DELETE FROM team_members WHERE account_id = ?', accountId),
      // The previous release, which knows team_members alone, may have added the account to a team that it was in already.
      sql('DELETE FROM other_memberships WHERE account_id = ? AND team_id IN (?, ?)', accountId, teamId, left),
      ...(before ? [insertRow('other_memberships', storedOf(before))] : []),
      insertRow('team_members', storedOf(next)),
      noteSecurityEvent({
        accountId,
        atMs: now,
        kind: 'team_switched',
        actor,
        detail: { team_id: teamId, team: teamRow.name(team) },
      }),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }, { topic: 'skills' }],
};

// Tasks that name no team belong to the current one, and whoever leaves it writes its name into them. To do so earlier changes nothing about a
// task. So most are named before, in small steps, and few are left for the transaction of the switch, which work on them waits for.

export interface UnnamedArgs {
  accountId: string;
  /** Exclusive. */
  afterId: string;
  limit: number;
}

/** The ids of the tasks of an account that name no team, the oldest first. */
export const listUnnamedTasks: StoreOperation<UnnamedArgs, string[]> = {
  name: 'teams.listUnnamedTasks',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run({ accountId, afterId, limit }) {
    const rows = yield* selectAll(
      `SELECT id FROM tasks WHERE account_id = ? AND id > ? AND ${isUnnamedTask} ORDER BY id LIMIT ?`,
      ...[accountId, afterId, limit],
    );
    return rows.map(taskRow.id);
  },
};

export interface NameTasksArgs {
  accountId: string;
  /** The current team; empty for none. If it is another by now, nothing happens. */
  teamId: string;
  /** At least one. */
  taskIds: readonly string[];
}

/** Names the current team in tasks that name none. Those that others work on are left out: a step waits for nobody. */
export const nameTasks: StoreOperation<NameTasksArgs, null> = {
  name: 'teams.nameTasks',
  access: 'exclusive',
  *run({ accountId, teamId, taskIds }) {
    yield* lockAccount(accountId);
    const current = yield* findRow('team_id', 'team_members', { account_id: accountId });
    if ((current ? teamMemberRow.team_id(current) : '') !== teamId) return null;
    const wanted = padToPowerOfTwo(taskIds);
    const free = yield* selectAll(
      `SELECT id FROM tasks WHERE account_id = ? AND id IN (${marks(wanted.length)}) AND ${isUnnamedTask}
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      ...[accountId, ...wanted],
    );
    if (free.length === 0) return null;
    const named = padToPowerOfTwo(free.map(taskRow.id));
    yield [
      sql(
        `UPDATE tasks SET team_id = ? WHERE account_id = ? AND id IN (${marks(named.length)})`,
        ...[teamId, accountId, ...named],
      ),
    ];
    return null;
  },
};
