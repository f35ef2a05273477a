import { Fault } from '@errand/base/fault.ts';
import { checkMayManage, type GrantedRole } from '../../rules/accounts/team-role.ts';
import { type StoreOperation, selectAll, selectFirst } from '../db/store-operation.ts';
import { lockTeam, maxTeamMembers, readActor } from './teams.ts';
import { integer, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { teamRow } from '../db/shared-rows.ts';

/** `team_invitations` */
export const invitationRow = tableCodec('team_invitations', {
  team_id: text,
  email: text,
  role: oneOf<GrantedRole>(),
  created_at: integer,
  expires_at: integer,
});
const openInvitation = invitationRow.pick('email, role, created_at, expires_at');
const { read: readOwn } = invitationRow.pick('team_id, role, expires_at');
export type OwnInvitation = ReturnType<typeof readOwn> & { team: string };

/** An open invitation. Only the invited person has its token. */
export type Invitation = ReturnType<typeof openInvitation.read>;

export interface ListInvitationsArgs {
  teamId: string;
  /** The calling account, null for the operator. */
  actorId: string | null;
  now: number;
}

/** The open invitations of a team, ordered by address, for accounts that may invite. */
export const listInvitations: StoreOperation<ListInvitationsArgs, Invitation[]> = {
  name: 'teams.listInvitations',
  access: 'read',
  *run({ teamId, actorId, now }) {
    checkMayManage(yield* readActor(teamId, actorId));
    const rows = yield* selectAll(
      `SELECT ${openInvitation.columns} FROM team_invitations WHERE team_id = ? AND expires_at > ? ORDER BY email LIMIT ?`,
      teamId,
      now,
      maxTeamMembers,
    );
    return rows.map(openInvitation.read);
  },
};

/** Withdraws the open invitation of an address; 404 if there is none. */
export const withdrawInvitation: StoreOperation<{ teamId: string; actorId: string | null; email: string }, null> = {
  name: 'teams.withdraw',
  access: 'write',
  keys: ({ teamId }) => [teamId],
  *run({ teamId, actorId, email }) {
    yield* lockTeam(teamId);
    checkMayManage(yield* readActor(teamId, actorId));
    const gone = yield* selectAll('DELETE FROM team_invitations WHERE team_id = ? AND email = ? RETURNING digest', teamId, email);
    if (gone.length === 0) throw new Fault('not_found', 'invitation not found; it may have been used or have expired');
    return null;
  },
};

/** The team and role of an invitation, or null if it is not for this account or no longer valid. */
export const findInvitation: StoreOperation<{ digest: string; accountId: string; now: number }, OwnInvitation | null> = {
  name: 'teams.findInvitation',
  access: 'read',
  *run({ digest, accountId, now }) {
    const row = yield* selectFirst(
      `SELECT i.team_id, i.role, i.expires_at, t.name FROM team_invitations i JOIN teams t ON t.team_id = i.team_id
       JOIN accounts a ON a.email = i.email WHERE i.digest = ? AND i.expires_at > ? AND a.account_id = ?`,
      digest,
      now,
      accountId,
    );
    return row ? { ...readOwn(row), team: teamRow.name(row) } : null;
  },
};
