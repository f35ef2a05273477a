import { Fault, invalidField } from '@errand/base/fault.ts';
import type { TeamActor, TeamRole } from '../../rules/accounts/team-role.ts';
import {
  findRow,
  insertRow,
  lockAccount,
  type StoreOperation,
  type Script,
  selectAll,
  selectFirst,
  sql,
} from '../db/store-operation.ts';
import { teamsOfAccount } from '../db/teammates.ts';
import { noteSecurityEvent } from './security-events.ts';
import { hasTwoStepSql, twoStepRow } from './two-step/two-step-column.ts';
import { accountRow, countRow, teamMemberRow, teamRow } from '../db/shared-rows.ts';

/** Maximum number of accounts in a team. */
export const maxTeamMembers = 500;

/** Maximum number of teams of an account (docs/reference/choices.md#teams). */
export const maxTeams = 20;

const { read: readTeam } = teamRow.pick('team_id as id, name, created_at');
export type Team = ReturnType<typeof readTeam>;

const { read: readMember } = teamMemberRow.pick('account_id, role, joined_at');
export type TeamMember = ReturnType<typeof readMember> & {
  email: string;
  /** Whether it asks for a second step at sign-in; null for callers who do not manage the team. */
  hasTwoStep: boolean | null;
};

export function teamNotFound(): Fault {
  return new Fault('not_found', 'team not found');
}

/** The team with its row locked, which serializes changes to its members. */
export function* lockTeam(teamId: string): Script<{ name: string }> {
  const row = yield* selectFirst('SELECT name FROM teams WHERE team_id = ? FOR UPDATE', teamId);
  if (!row) throw teamNotFound();
  return { name: teamRow.name(row) };
}

/** @param actorId the calling account, null for the operator */
export function* readActor(teamId: string, actorId: string | null): Script<TeamActor> {
  if (actorId === null) return 'operator';
  const row = yield* selectFirst(
    `SELECT role FROM team_members WHERE account_id = ? AND team_id = ?
     UNION ALL SELECT role FROM other_memberships WHERE account_id = ? AND team_id = ?`,
    ...[actorId, teamId, actorId, teamId],
  );
  return row ? teamMemberRow.role(row) : null;
}

/** Adds an account to a team that it is not in. The team becomes its current one if it has none. */
export function* addMember(teamId: string, accountId: string, role: TeamRole, now: number): Script<void> {
  // Serializes changes to the teams of an account.
  yield* lockAccount(accountId);
  const teams = yield* selectAll(`SELECT team_id FROM teams WHERE team_id IN ${teamsOfAccount}`, accountId, accountId);
  if (teams.some((row) => teamRow.team_id(row) === teamId)) {
    throw new Fault('failed_precondition', 'This account is already in the team.');
  }
  if (teams.length >= maxTeams) {
    throw new Fault('resource_exhausted', `An account can be in ${maxTeams} teams; leave one that is no longer needed.`);
  }
  const membership = { account_id: accountId, team_id: teamId, role, joined_at: now };
  const isCurrent = (yield* findRow('team_id', 'team_members', { account_id: accountId })) === undefined;
  yield [insertRow(isCurrent ? 'team_members' : 'other_memberships', membership)];
}

export interface CreateTeamArgs {
  teamId: string;
  name: string;
  ownerId: string;
  now: number;
  actor: string;
}

export const createTeam: StoreOperation<CreateTeamArgs, Team> = {
  name: 'teams.create',
  access: 'write',
  keys: ({ teamId, ownerId }) => [ownerId, teamId],
  *run({ teamId, name, ownerId, now, actor }) {
    yield [sql('INSERT INTO teams (team_id, name, created_at) VALUES (?, ?, ?)', teamId, name, now)];
    yield* addMember(teamId, ownerId, 'owner', now);
    yield [
      noteSecurityEvent({ accountId: ownerId, atMs: now, kind: 'team_created', actor, detail: { team_id: teamId, team: name } }),
    ];
    return { id: teamId, name, createdAtMs: now };
  },
  announce: () => [{ topic: 'credentials' }],
};

/** A team by its id, or by its name if that is unique. */
export const findTeam: StoreOperation<string, Team> = {
  name: 'teams.find',
  access: 'read',
  *run(reference) {
    const rows = yield* selectAll(
      'SELECT team_id, name, created_at FROM teams WHERE team_id = ? OR name = ? ORDER BY team_id LIMIT 2',
      reference,
      reference,
    );
    const [row, other] = rows;
    if (!row) throw teamNotFound();
    if (other) throw invalidField('team', 'several teams have this name; use the id of one');
    return readTeam(row);
  },
};

/** All teams of the instance with their number of members, oldest first. */
export const listTeams: StoreOperation<{ afterId: string; limit: number }, (Team & { memberCount: number })[]> = {
  name: 'teams.list',
  access: 'read',
  *run({ afterId, limit }) {
    const rows = yield* selectAll(
      `SELECT t.team_id, t.name, t.created_at,
         (SELECT COUNT(*) FROM team_members m WHERE m.team_id = t.team_id)
         + (SELECT COUNT(*) FROM other_memberships m WHERE m.team_id = t.team_id) AS count
       FROM teams t WHERE t.team_id > ? ORDER BY t.team_id LIMIT ?`,
      afterId,
      limit,
    );
    return rows.map((row) => ({ ...readTeam(row), memberCount: countRow.count(row) }));
  },
};

/** The current team of an account and its role there; null if it has none. */
export const findTeamOf: StoreOperation<string, (Team & { role: TeamRole }) | null> = {
  name: 'teams.findOf',
  access: 'read',
  *run(accountId) {
    const row = yield* selectFirst(
      `SELECT t.team_id, t.name, t.created_at, m.role FROM team_members m JOIN teams t ON t.team_id = m.team_id
       WHERE m.account_id = ?`,
      accountId,
    );
    if (!row) return null;
    return { ...readTeam(row), role: teamMemberRow.role(row) };
  },
};

/** The members of a team, as visible to its members and the operator; the owner first, then by address. */
export const listTeamMembers: StoreOperation<{ teamId: string; actorId: string | null }, TeamMember[]> = {
  name: 'teams.listMembers',
  access: 'read',
  *run({ teamId, actorId }) {
    const actor = yield* readActor(teamId, actorId);
    if (actor === null) throw teamNotFound();
    const rows = yield* selectAll(
      `SELECT m.account_id, m.role, m.joined_at, a.email, ${hasTwoStepSql('a.account_id')} AS two_step
       FROM (SELECT account_id, role, joined_at FROM team_members WHERE team_id = ?
         UNION ALL SELECT account_id, role, joined_at FROM other_memberships WHERE team_id = ?) m
       JOIN accounts a ON a.account_id = m.account_id
       ORDER BY CASE m.role WHEN 'owner' THEN 0 WHEN 'admin' THEN 1 ELSE 2 END, a.email LIMIT ?`,
      teamId,
      teamId,
      maxTeamMembers,
    );
    return rows.map((row) => ({
      ...readMember(row),
      email: accountRow.email(row),
      hasTwoStep: actor === 'member' ? null : twoStepRow.two_step(row),
    }));
  },
};
