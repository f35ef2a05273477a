import { Fault, invalidField } from '@errand/base/fault.ts';
import type { KeyScope } from '../../rules/accounts/access.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { compareText, insertRow, type StoreOperation, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';
import { digestsOf, digestWith, type KeyLimits, noLimits, type StoredKey } from './stored-key.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

/** The columns of a key, whatever it gives access to. */
export const keyColumns = {
  id: text,
  name: text,
  digest: text,
  tail: text,
  created_at: integer,
  last_used_at: nullable(integer),
};
const apiKeyRow = tableCodec('api_keys', { ...keyColumns, scope: oneOf<KeyScope>(), expires_at: nullable(integer) });
const keyDigestRow = tableCodec('key_digests', { account_id: text, key_id: text });

/** Maximum number of keys per account (docs/reference/choices.md#limits). */
export const maxApiKeys = 50;

/** A key without its secret, of which only a digest is stored. */
export interface NamedKey {
  id: string;
  name: string;
  /** The last four characters, to tell keys apart. */
  tail: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** A key of an account. */
export interface ApiKey extends NamedKey, KeyLimits {}

const { read: readApiKey, columns } = apiKeyRow.pick('id, name, tail, created_at, last_used_at, scope, expires_at');
const { read: readOwner } = accountRow.pick('plan, locale, status');

export interface CreateApiKeyArgs extends StoredKey {
  accountId: string;
  now: number;
  /** Default: none. */
  limits?: KeyLimits;
  /** The creator of the key, for the security record. */
  actor?: string;
}

export const createApiKey: StoreOperation<CreateApiKeyArgs, ApiKey> = {
  name: 'apiKeys.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, keyId, name, tail, now, limits = noLimits, actor = 'operator', ...key }) {
    const { scope, expiresAtMs } = limits;
    const digest = digestWith(key.digest, limits);
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    const account = yield* selectFirst('SELECT status FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
    if (!account) throw new Fault('not_found', 'account not found');
    if (accountRow.status(account) === 'deleting') throw new Fault('failed_precondition', 'This account is being deleted.');
    const live = yield* selectAll(
      'SELECT id FROM api_keys WHERE account_id = ? AND revoked_at IS NULL LIMIT ?',
      accountId,
      maxApiKeys,
    );
    if (live.length >= maxApiKeys) {
      throw new Fault('resource_exhausted', `An account can have ${maxApiKeys} API keys; revoke one that is no longer used.`);
    }
    const [added] = yield [
      sql(
        'INSERT INTO key_digests (digest, account_id, key_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING key_id',
        digest,
        accountId,
        keyId,
      ),
    ];
    if (added?.length !== 1) throw invalidField('key', 'this key is already in use');
    yield [
      insertRow('api_keys', {
        ...{ account_id: accountId, id: keyId, name, digest, tail, created_at: now },
        ...{ scope, expires_at: expiresAtMs },
      }),
      noteSecurityEvent({ accountId, atMs: now, kind: 'key_created', actor, detail: { key_id: keyId, name, scope } }),
    ];
    return { id: keyId, name, tail, createdAtMs: now, lastUsedAtMs: null, ...limits };
  },
};

/** The account's live keys, oldest first. */
export const listApiKeys: StoreOperation<string, ApiKey[]> = {
  name: 'apiKeys.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(
      `SELECT ${columns} FROM api_keys WHERE account_id = ? AND revoked_at IS NULL ORDER BY id`,
      accountId,
    );
    return rows.map(readApiKey);
  },
};

/** Revokes a key permanently. Its row stays, because tasks refer to it as their creator; its digest is deleted. */
export const revokeApiKey: StoreOperation<{ accountId: string; keyId: string; now: number; actor?: string }, { keyId: string }> =
  {
    name: 'apiKeys.revoke',
    access: 'write',
    keys: ({ accountId }) => [accountId],
    *run({ accountId, keyId, now, actor = 'operator' }) {
      const [revoked] = yield [
        sql(
          'UPDATE api_keys SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at IS NULL RETURNING digest, name',
          now,
          accountId,
          keyId,
        ),
      ];
      const [key] = revoked ?? [];
      if (!key) throw new Fault('not_found', 'API key not found');
      const detail = { key_id: keyId, name: apiKeyRow.name(key) };
      yield [
        sql('DELETE FROM key_digests WHERE digest = ?', apiKeyRow.digest(key)),
        noteSecurityEvent({ accountId, atMs: now, kind: 'key_revoked', actor, detail }),
      ];
      return { keyId };
    },
    announce: () => [{ topic: 'credentials' }],
  };

/** The account of a live key by its id; null if there is none. */
export const findAccountOfKey: StoreOperation<string, string | null> = {
  name: 'apiKeys.findAccount',
  access: 'read',
  scans: () => instanceRecord,
  *run(keyId) {
    const row = yield* selectFirst('SELECT account_id FROM key_digests WHERE key_id = ?', keyId);
    return row ? keyDigestRow.account_id(row) : null;
  },
};

const readLimits = apiKeyRow.pick('scope, expires_at').read;

/** The owner of this key, and what it is limited to. */
export type KeyOwner = ReturnType<typeof keyDigestRow.read> & ReturnType<typeof readOwner> & KeyLimits;

/** The key with this digest that is not revoked, or null. */
export const findKeyOwner: StoreOperation<string, KeyOwner | null> = {
  name: 'apiKeys.findOwner',
  access: 'read',
  *run(digest) {
    const row = yield* selectFirst(
      `SELECT d.account_id, d.key_id, a.plan, a.locale, a.status, k.scope, k.expires_at FROM key_digests d
       JOIN accounts a ON a.account_id = d.account_id JOIN api_keys k ON k.account_id = d.account_id AND k.id = d.key_id
       WHERE d.digest IN (?, ?)`,
      ...digestsOf(digest),
    );
    return row ? { ...keyDigestRow.read(row), ...readOwner(row), ...readLimits(row) } : null;
  },
};

/** Records that keys were used. Called periodically with a batch, so times are accurate to about a minute. */
export const touchApiKeys: StoreOperation<{ now: number; keys: readonly { accountId: string; keyId: string }[] }, null> = {
  name: 'apiKeys.touch',
  access: 'write',
  keys: ({ keys }) => keys.map(({ accountId }) => accountId),
  *run({ now, keys }) {
    // A fixed order prevents deadlocks between processes.
    const sorted = keys.toSorted((a, b) => compareText(a.keyId, b.keyId));
    yield sorted.map(({ accountId, keyId }) =>
      sql('UPDATE api_keys SET last_used_at = ? WHERE account_id = ? AND id = ?', now, accountId, keyId),
    );
    return null;
  },
};
