import { createAccount } from '../accounts.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { invitationRow } from '../team-invitations.ts';
import { addMember, lockTeam } from '../teams.ts';
import { teamRow } from '../../db/shared-rows.ts';
import { selectFirst, type StoreOperation } from '../../db/store-operation.ts';

const { read: readInvited, columnsOf } = invitationRow.pick('team_id, email, role, expires_at');

/** An invitation of somebody who has no account yet. */
export type Newcomer = ReturnType<typeof readInvited> & { team: string };

/** The newcomer whom an invitation lets make an account; null for one that does not, is over, or whose address has an account. */
export const findNewcomer: StoreOperation<{ digest: string; now: number }, Newcomer | null> = {
  name: 'invitedAccounts.find',
  access: 'read',
  *run({ digest, now }) {
    const row = yield* selectFirst(
      `SELECT ${columnsOf('i')}, t.name FROM team_invitations i JOIN teams t ON t.team_id = i.team_id
       WHERE i.digest = ? AND i.expires_at > ? AND i.makes_account = 1
         AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.email = i.email)`,
      digest,
      now,
    );
    return row ? { ...readInvited(row), team: teamRow.name(row) } : null;
  },
};

export interface JoinArgs {
  /** Digest of the token of the invitation. */
  digest: string;
  newAccountId: string;
  /** The password, as returned by `Passwords.hash`. */
  hash: string;
  locale: string;
  now: number;
}

/**
 * Makes the account of an invited newcomer, who joins the team with it: both or neither. False if the invitation does not make one any more;
 * of concurrent uses, only one succeeds.
 */
export const createInvitedAccount: StoreOperation<JoinArgs, boolean> = {
  name: 'invitedAccounts.create',
  access: 'exclusive',
  *run({ digest, newAccountId: accountId, hash, locale, now }) {
    const row = yield* selectFirst(
      `DELETE FROM team_invitations WHERE digest = ? AND expires_at > ? AND makes_account = 1
         AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.email = team_invitations.email)
       RETURNING ${invitationRow.columns}`,
      digest,
      now,
    );
    if (!row) return false;
    const { teamId, email, role } = invitationRow.read(row);
    const account = { accountId, email, plan: 'pro' as const, locale, createdAtMs: now };
    yield* createAccount.run({ ...account, password: hash, actor: 'invitation' });
    const { name: team } = yield* lockTeam(teamId);
    yield* addMember(teamId, accountId, role, now);
    const detail = { team_id: teamId, team, role };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'team_joined', actor: 'invitation', detail })];
    return true;
  },
  announce: () => [{ topic: 'credentials' }],
};
