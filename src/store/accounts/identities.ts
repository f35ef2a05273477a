import { Fault } from '@errand/base/fault.ts';
import { createAccount } from './accounts.ts';
import { type StoreOperation, type Script, selectAll, selectFirst, sql, deleteRow } from '../db/store-operation.ts';
import { membersOfTeam } from '../db/teammates.ts';
import { addMember, findTeam, lockTeam, maxTeamMembers } from './teams.ts';
import { noteSecurityEvent } from './security-events.ts';
import { readConfirmed } from './two-step/authenticators.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

/** A person as identified by a provider. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** An identity that can sign in to an account. */
export interface Identity extends IdentityKey {
  /** The address last reported by the provider; null for none. */
  email: string | null;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

const identityRow = tableCodec('identities', {
  account_id: text,
  issuer: text,
  subject: text,
  email: nullable(text),
  created_at: integer,
  last_used_at: nullable(integer),
});

const { read: readIdentity, columns } = identityRow.pick('issuer, subject, email, created_at, last_used_at');

function* findAccountOf({ issuer, subject }: IdentityKey): Script<string | null> {
  const row = yield* selectFirst('SELECT account_id FROM identities WHERE issuer = ? AND subject = ?', issuer, subject);
  return row ? identityRow.account_id(row) : null;
}

/** Whether any account has this identity. */
export const isIdentityKnown: StoreOperation<IdentityKey, boolean> = {
  name: 'identities.isKnown',
  access: 'read',
  *run(key) {
    return (yield* findAccountOf(key)) !== null;
  },
};

/** The identities of an account, oldest first. */
export const listIdentities: StoreOperation<{ accountId: string }, Identity[]> = {
  name: 'identities.list',
  access: 'read',
  *run({ accountId }) {
    const rows = yield* selectAll(`SELECT ${columns} FROM identities WHERE account_id = ? ORDER BY issuer LIMIT 100`, accountId);
    return rows.map(readIdentity);
  },
};

export interface AdmitArgs extends IdentityKey {
  /** Verified, in lower case; null is allowed for a known identity. */
  email: string | null;
  canSignUp: boolean;
  /** Name or id of the team that a new account joins; null for none. */
  team: string | null;
  /** The id that a new account gets. */
  newAccountId: string;
  /** Browser and client address, for the security record. */
  visit: Readonly<Record<string, string>>;
  now: number;
}

/** `none`: no account has the address. `taken`: the account with the address has another identity of this provider. */
export type Admission = { accountId: string; teamProblem: string | null; isActive: boolean } | { refusal: 'none' | 'taken' };

function* findByEmail(email: string): Script<string | null> {
  const row = yield* selectFirst('SELECT account_id FROM accounts WHERE email = ?', email);
  return row ? accountRow.account_id(row) : null;
}

/** Adds a new account to the team that the operator configured; null, or why it was not added: sign-in succeeds regardless. */
function* joinTeam({ team, newAccountId: accountId, now }: AdmitArgs): Script<string | null> {
  if (team === null) return null;
  try {
    const { id, name } = yield* findTeam.run(team);
    yield* lockTeam(id);
    const members = yield* selectAll(`SELECT account_id FROM accounts WHERE account_id IN ${membersOfTeam}`, id, id);
    if (members.length >= maxTeamMembers) return `the team ${name} has ${maxTeamMembers} members`;
    yield* addMember(id, accountId, 'member', now);
    const detail = { team_id: id, team: name, role: 'member' };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'team_joined', actor: 'provider', detail })];
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** The account with an address, created if allowed. Of concurrent requests, only one creates it. */
function* openAccount({ email, canSignUp, newAccountId, now }: AdmitArgs): Script<string | null> {
  if (email === null) return null;
  const found = yield* findByEmail(email);
  if (found !== null || !canSignUp) return found;
  try {
    const account = { accountId: newAccountId, email, plan: 'pro' as const, locale: 'en', createdAtMs: now };
    yield* createAccount.run({ ...account, actor: 'provider' });
    return newAccountId;
  } catch (error) {
    if (error instanceof Fault) return yield* findByEmail(email);
    throw error;
  }
}

/** Links an identity to an account; false if the account already has one of this issuer, or another account has this one. */
function* addIdentity(
  accountId: string,
  args: IdentityKey & { email: string | null; actor: string; now: number },
): Script<boolean> {
  const { issuer, subject, email, actor, now } = args;
  const added = yield* selectAll(
    `INSERT INTO identities (account_id, issuer, subject, email, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING account_id`,
    ...[accountId, issuer, subject, email, now],
  );
  if (added.length === 0) return (yield* findAccountOf(args)) === accountId;
  const detail = { issuer, ...(email !== null && { email }) };
  yield [noteSecurityEvent({ accountId, atMs: now, kind: 'identity_linked', actor, detail })];
  return true;
}

/**
 * Signs in a person whom the provider has authenticated: to the account with this identity, else to the one with the verified address,
 * which is then linked to the identity. From then on the address is no longer considered.
 */
export const admitIdentity: StoreOperation<AdmitArgs, Admission> = {
  name: 'identities.admit',
  access: 'exclusive',
  *run(args) {
    const { issuer, subject, email, visit, now } = args;
    const known = yield* findAccountOf(args);
    const accountId = known ?? (yield* openAccount(args));
    if (accountId === null) return { refusal: 'none' };
    const event = { accountId, atMs: now, actor: 'provider', detail: { ...visit, issuer } };
    if (known === null && !(yield* addIdentity(accountId, { issuer, subject, email, actor: 'provider', now }))) {
      yield [noteSecurityEvent({ ...event, kind: 'sign_in_failed' })];
      return { refusal: 'taken' };
    }
    const owner = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ?', accountId);
    const isActive = owner !== undefined && accountRow.status(owner) === 'active';
    // Signed in is who has also passed the second step.
    const kind = (yield* readConfirmed(accountId)) === null ? ('signed_in' as const) : ('two_step_asked' as const);
    yield [
      sql(
        'UPDATE identities SET email = COALESCE(?, email), last_used_at = ? WHERE account_id = ? AND issuer = ?',
        ...[email, now, accountId, issuer],
      ),
      noteSecurityEvent({ ...event, kind: isActive ? kind : 'sign_in_failed' }),
    ];
    return { accountId, teamProblem: accountId === args.newAccountId ? yield* joinTeam(args) : null, isActive };
  },
};

export interface LinkArgs extends IdentityKey {
  accountId: string;
  email: string | null;
  actor: string;
  now: number;
}

/** Links an identity to an account. Throws 412 if either is already linked. */
export const linkIdentity: StoreOperation<LinkArgs, null> = {
  name: 'identities.link',
  access: 'exclusive',
  *run({ accountId, ...args }) {
    const account = yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ?', accountId);
    if (!account) throw new Fault('not_found', 'account not found');
    if (yield* addIdentity(accountId, args)) return null;
    const isMine = (yield* findAccountOf(args)) === null;
    const problem = isMine
      ? 'This account has another identity of this provider; unlink that first.'
      : 'This identity belongs to another account; unlink it there first.';
    throw new Fault('failed_precondition', problem);
  },
};

export interface UnlinkArgs {
  accountId: string;
  issuer: string;
  actor: string;
  now: number;
}

/** Unlinks an identity from an account; 404 if it has none of this issuer. */
export const unlinkIdentity: StoreOperation<UnlinkArgs, null> = {
  name: 'identities.unlink',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, issuer, actor, now }) {
    const gone = yield* deleteRow('email', 'identities', { account_id: accountId, issuer });
    if (!gone) throw new Fault('not_found', 'identity not found');
    const email = identityRow.email(gone);
    const detail = { issuer, ...(email !== null && { email }) };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'identity_unlinked', actor, detail })];
    return null;
  },
};
