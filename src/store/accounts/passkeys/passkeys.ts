import { Fault } from '@errand/base/fault.ts';
import type { NewPasskey, StoredPasskey } from '@errand/base/secrets/passkeys.ts';
import type { AccountStatus } from '../../../rules/accounts/account-status.ts';
import { flag, integer, json, nullable, tableCodec, text } from '../../db/row-codec.ts';
import { accountRow, countRow } from '../../db/shared-rows.ts';
import { insertRow, selectAll, selectFirst, type StoreOperation } from '../../db/store-operation.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { createSession, type CreateSessionArgs } from '../sessions.ts';

const passkeyRow = tableCodec('passkeys', {
  id: text,
  public_key: text,
  sign_count: integer,
  transports: json<string[]>(),
  is_synced: flag,
  name: text,
  created_at: integer,
  last_used_at: nullable(integer),
});
const listed = passkeyRow.pick('id, transports, is_synced, name, created_at, last_used_at');
const verified = passkeyRow.pick('id, public_key, sign_count');

/** A passkey as its user sees it. */
export type Passkey = ReturnType<typeof listed.read>;

/** More than the devices of one user. */
export const maxPasskeys = 20;

/** The passkeys of an account, oldest first. */
export const listPasskeys: StoreOperation<{ accountId: string }, Passkey[]> = {
  name: 'passkeys.list',
  access: 'read',
  *run({ accountId }) {
    const rows = yield* selectAll(
      `SELECT ${listed.columns} FROM passkeys WHERE account_id = ? ORDER BY created_at, id LIMIT ${maxPasskeys}`,
      accountId,
    );
    return rows.map(listed.read);
  },
};

/** Whether anybody has a passkey. */
export const hasPasskeys: StoreOperation<null, boolean> = {
  name: 'passkeys.exist',
  access: 'read',
  *run() {
    return (yield* selectFirst('SELECT 1 AS one FROM passkeys LIMIT 1')) !== undefined;
  },
};

export interface AddPasskeyArgs {
  accountId: string;
  passkey: NewPasskey;
  name: string;
  actor: string;
  now: number;
}

/** Adds a passkey. 409 for one that the account has, 412 for one too many. */
export const addPasskey: StoreOperation<AddPasskeyArgs, Passkey> = {
  name: 'passkeys.add',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, passkey, name, actor, now }) {
    const { id, publicKey, signCount, isSynced, transports } = passkey;
    yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    const counted = yield* selectFirst('SELECT COUNT(*) AS count FROM passkeys WHERE account_id = ?', accountId);
    if (counted && countRow.count(counted) >= maxPasskeys) {
      throw new Fault('failed_precondition', `An account has at most ${maxPasskeys} passkeys; remove one first.`);
    }
    const known = yield* selectFirst('SELECT id FROM passkeys WHERE account_id = ? AND id = ?', accountId, id);
    if (known) throw new Fault('conflict', 'This passkey is already on the account.');
    yield [
      insertRow('passkeys', {
        ...{ account_id: accountId, id, public_key: publicKey, sign_count: signCount, transports: JSON.stringify(transports) },
        ...{ is_synced: isSynced ? 1 : 0, name, created_at: now, challenged_at: now },
      }),
      noteSecurityEvent({ accountId, atMs: now, kind: 'passkey_added', actor, detail: { name } }),
    ];
    return { id, transports, isSynced, name, createdAtMs: now, lastUsedAtMs: null };
  },
};

export interface RemovePasskeyArgs {
  accountId: string;
  id: string;
  actor: string;
  now: number;
}

/** Removes a passkey: nobody signs in with it any more. 404 if the account has none with this id. */
export const removePasskey: StoreOperation<RemovePasskeyArgs, null> = {
  name: 'passkeys.remove',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, id, actor, now }) {
    const row = yield* selectFirst(
      `DELETE FROM passkeys WHERE account_id = ? AND id = ? RETURNING ${listed.columns}`,
      ...[accountId, id],
    );
    if (!row) throw new Fault('not_found', 'passkey not found');
    const { name } = listed.read(row);
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'passkey_removed', actor, detail: { name } })];
    return null;
  },
};

/** A passkey that somebody claims to have. */
export interface ClaimedPasskey {
  passkey: StoredPasskey;
  status: AccountStatus;
}

/** The passkey of a claim, or null; also for an account that is being deleted. */
export const findPasskey: StoreOperation<{ accountId: string; id: string }, ClaimedPasskey | null> = {
  name: 'passkeys.find',
  access: 'read',
  *run({ accountId, id }) {
    const row = yield* selectFirst(
      `SELECT ${verified.columnsOf('p')}, a.status FROM passkeys p JOIN accounts a ON a.account_id = p.account_id
       WHERE p.account_id = ? AND p.id = ? AND a.status <> 'deleting'`,
      accountId,
      id,
    );
    return row ? { passkey: verified.read(row), status: accountRow.status(row) } : null;
  },
};

export interface PassWithPasskeyArgs {
  accountId: string;
  id: string;
  /** Signature counter of the authenticator. */
  signCount: number;
  /** When the question was made that was answered. */
  challengedAtMs: number;
  session: CreateSessionArgs;
  /** Browser and client address, for the security record. */
  visit: Readonly<Record<string, string>>;
  now: number;
}

/** Signs in with a passkey whose use is proved. False if it is gone, or has answered this question or a later one before. */
export const passWithPasskey: StoreOperation<PassWithPasskeyArgs, boolean> = {
  name: 'passkeys.pass',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, id, signCount, challengedAtMs, session, visit, now }) {
    const used = yield* selectFirst(
      `UPDATE passkeys SET sign_count = ?, challenged_at = ?, last_used_at = ?
       WHERE account_id = ? AND id = ? AND challenged_at < ? RETURNING id`,
      ...[signCount, challengedAtMs, now, accountId, id, challengedAtMs],
    );
    if (!used) return false;
    yield* createSession.run(session);
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'signed_in', actor: 'browser', detail: { ...visit, by: 'passkey' } })];
    return true;
  },
};
