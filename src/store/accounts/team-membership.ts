import { Fault } from '@errand/base/fault.ts';
import {
  checkMayChangeRole,
  checkMayManage,
  checkMayRemove,
  type GrantedRole,
  type TeamRole,
} from '../../rules/accounts/team-role.ts';
import { insertRow, lockAccount, type StoreOperation, type Script, selectFirst, sql } from '../db/store-operation.ts';
import { isMember, membersOfTeam } from '../db/teammates.ts';
import { endHandOvers } from '../tasks/people/assignees.ts';
import { nameCurrentTeam } from './current-team.ts';
import { noteSecurityEvent } from './security-events.ts';
import { addMember, lockTeam, maxTeamMembers, readActor, teamNotFound } from './teams.ts';
import { accountRow, teamMemberRow } from '../db/shared-rows.ts';
import { invitationRow } from './team-invitations.ts';

/** How long an invitation is valid. */
export const invitationTtlMs = 7 * 24 * 60 * 60 * 1000;

interface Change {
  teamId: string;
  /** The calling account, null for the operator. */
  actorId: string | null;
  /** The caller for the security record, in the form of `actorOf`. */
  actor: string;
  now: number;
}

export interface InviteArgs extends Change {
  /** Lower case. */
  email: string;
  role: GrantedRole;
  /** Digest of the token, which only the invited person gets. */
  digest: string;
  /** Whether it makes an account for somebody who has none; by default not. */
  makesAccount?: boolean;
}

function* findOwner(teamId: string): Script<string> {
  const row = yield* selectFirst(
    `SELECT account_id FROM team_members WHERE team_id = ? AND role = 'owner'
     UNION ALL SELECT account_id FROM other_memberships WHERE team_id = ? AND role = 'owner'`,
    ...[teamId, teamId],
  );
  if (!row) throw teamNotFound();
  return teamMemberRow.account_id(row);
}

/** Invites an address; invalidates an earlier invitation. */
export const inviteMember: StoreOperation<InviteArgs, { expiresAtMs: number }> = {
  name: 'teams.invite',
  access: 'write',
  keys: ({ teamId }) => [teamId],
  *run({ teamId, actorId, actor, now, email, role, digest, makesAccount = false }) {
    const { name } = yield* lockTeam(teamId);
    checkMayManage(yield* readActor(teamId, actorId));
    const member = yield* selectFirst(
      `SELECT a.account_id FROM accounts a WHERE a.email = ? AND ${isMember('a.account_id', '?')}`,
      ...[email, teamId, teamId],
    );
    if (member) throw new Fault('failed_precondition', `${email} is already in this team.`);
    yield [sql('DELETE FROM team_invitations WHERE team_id = ? AND (email = ? OR expires_at <= ?)', teamId, email, now)];
    const [people = [], waiting = []] = yield [
      sql(`SELECT account_id FROM accounts WHERE account_id IN ${membersOfTeam}`, teamId, teamId),
      sql('SELECT digest FROM team_invitations WHERE team_id = ? LIMIT ?', teamId, maxTeamMembers),
    ];
    if (people.length + waiting.length >= maxTeamMembers) {
      throw new Fault('resource_exhausted', `A team can have ${maxTeamMembers} members and invitations.`);
    }
    const expiresAtMs = now + invitationTtlMs;
    const notifiedId = actorId ?? (yield* findOwner(teamId));
    const values = { digest, team_id: teamId, email, role, created_at: now, makes_account: makesAccount ? 1 : 0 };
    yield [
      insertRow('team_invitations', { ...values, expires_at: expiresAtMs }),
      noteSecurityEvent({
        accountId: notifiedId,
        atMs: now,
        kind: 'team_invited',
        actor,
        detail: { team_id: teamId, team: name, email, role },
      }),
    ];
    return { expiresAtMs };
  },
};

export interface AcceptArgs {
  digest: string;
  /** The accepting account, which must have the invited address; null for the account with that address. */
  accountId: string | null;
  actor: string;
  now: number;
}

export interface Membership {
  teamId: string;
  team: string;
  accountId: string;
  role: TeamRole;
}

const { read: readInvited } = invitationRow.pick('team_id, email, role');

/** Accepts an invitation. Of concurrent requests, only one succeeds. */
export const acceptInvitation: StoreOperation<AcceptArgs, Membership> = {
  name: 'teams.accept',
  access: 'exclusive',
  *run({ digest, accountId, actor, now }) {
    const invitation = yield* selectFirst(
      'DELETE FROM team_invitations WHERE digest = ? AND expires_at > ? RETURNING team_id, email, role',
      digest,
      now,
    );
    const unknown = new Fault('not_found', 'invitation not found; it may have been used, replaced or expired');
    if (!invitation) throw unknown;
    const { teamId, email, role } = readInvited(invitation);
    const account = yield* selectFirst('SELECT account_id FROM accounts WHERE email = ?', email);
    // Do not reveal invitations of other people.
    const invited = account ? accountRow.account_id(account) : null;
    if (accountId !== null && invited !== accountId) throw unknown;
    if (invited === null) throw new Fault('failed_precondition', `${email} has no account yet; create it first.`);
    const { name } = yield* lockTeam(teamId);
    yield* addMember(teamId, invited, role, now);
    yield [
      noteSecurityEvent({
        accountId: invited,
        atMs: now,
        kind: 'team_joined',
        actor,
        detail: { team_id: teamId, team: name, role },
      }),
    ];
    return { teamId, team: name, accountId: invited, role };
  },
  announce: () => [{ topic: 'credentials' }],
};

/** The member's row, after `check` has verified that the caller may change it. */
function* lockMember(
  { teamId, actorId }: Change,
  accountId: string,
  check: (actor: Parameters<typeof checkMayManage>[0], role: TeamRole, isSelf: boolean) => void,
): Script<{ name: string; role: TeamRole }> {
  const { name } = yield* lockTeam(teamId);
  const actor = yield* readActor(teamId, actorId);
  if (actor === null) throw teamNotFound();
  const role = yield* readActor(teamId, accountId);
  if (role === null || role === 'operator') throw new Fault('not_found', 'member not found');
  check(actor, role, actorId === accountId);
  return { name, role };
}

/**
 * Removes an account from a team. Sharing in both directions ends at once, and so does what is handed over. If it was the account's current
 * team, the account has none until it switches to another.
 */
export const removeMember: StoreOperation<Change & { accountId: string }, null> = {
  name: 'teams.remove',
  // Alone in its transaction, like a switch.
  access: 'exclusive',
  *run({ accountId, ...change }) {
    const { teamId, actor, now } = change;
    const { name } = yield* lockMember(change, accountId, checkMayRemove);
    const detail = { team_id: teamId, team: name };
    // In the order in which a switch locks them: the account, what starts tasks, tasks.
    yield* lockAccount(accountId);
    yield* nameCurrentTeam(accountId, teamId);
    yield* endHandOvers(accountId, teamId);
    yield [
      sql('DELETE FROM team_members WHERE account_id = ? AND team_id = ?', accountId, teamId),
      sql('DELETE FROM other_memberships WHERE account_id = ? AND team_id = ?', accountId, teamId),
      sql('UPDATE accounts SET left_team_at = ? WHERE account_id = ?', now, accountId),
      noteSecurityEvent({ accountId, atMs: now, kind: 'team_left', actor, detail }),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};

export const changeRole: StoreOperation<Change & { accountId: string; role: GrantedRole }, null> = {
  name: 'teams.changeRole',
  access: 'write',
  keys: ({ teamId, accountId }) => [teamId, accountId],
  *run({ accountId, role, ...change }) {
    const { teamId, actor, now } = change;
    const { name } = yield* lockMember(change, accountId, checkMayChangeRole);
    const detail = { team_id: teamId, team: name, role };
    // A switch moves the row with the role that it has read.
    yield* lockAccount(accountId);
    yield [
      sql('UPDATE team_members SET role = ? WHERE account_id = ? AND team_id = ?', role, accountId, teamId),
      sql('UPDATE other_memberships SET role = ? WHERE account_id = ? AND team_id = ?', role, accountId, teamId),
      noteSecurityEvent({ accountId, atMs: now, kind: 'team_role_changed', actor, detail }),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};
