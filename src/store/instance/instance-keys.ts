import { Fault } from '@errand/base/fault.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { tableCodec } from '../db/row-codec.ts';
import { compareText, insertRow, selectAll, selectFirst, sql, type StoreOperation } from '../db/store-operation.ts';
import { keyColumns, type NamedKey } from '../accounts/api-keys.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import type { StoredKey } from '../accounts/stored-key.ts';

const instanceKeyRow = tableCodec('instance_keys', keyColumns);
const { read: readKey, columns } = instanceKeyRow.pick('id, name, tail, created_at, last_used_at');

/** Maximum number of instance keys. */
export const maxInstanceKeys = 50;

/** Creates a key that administers the instance. */
export const createInstanceKey: StoreOperation<StoredKey & { now: number }, NamedKey> = {
  name: 'instanceKeys.create',
  access: 'exclusive',
  *run({ keyId, name, digest, tail, now }) {
    const live = yield* selectAll('SELECT id FROM instance_keys LIMIT ?', maxInstanceKeys);
    if (live.length >= maxInstanceKeys) {
      throw new Fault('resource_exhausted', `An instance can have ${maxInstanceKeys} keys; revoke one that is no longer used.`);
    }
    const detail = { key_id: keyId, name };
    yield [
      insertRow('instance_keys', { id: keyId, name, digest, tail, created_at: now }),
      noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind: 'instance_key_created', actor: 'operator', detail }),
    ];
    return { id: keyId, name, tail, createdAtMs: now, lastUsedAtMs: null };
  },
};

/** The keys that administer the instance, oldest first. */
export const listInstanceKeys: StoreOperation<null, NamedKey[]> = {
  name: 'instanceKeys.list',
  access: 'read',
  *run() {
    return (yield* selectAll(`SELECT ${columns} FROM instance_keys ORDER BY id`)).map(readKey);
  },
};

/** Revokes a key permanently. */
export const revokeInstanceKey: StoreOperation<{ keyId: string; now: number }, { keyId: string }> = {
  name: 'instanceKeys.revoke',
  access: 'exclusive',
  *run({ keyId, now }) {
    const row = yield* selectFirst('DELETE FROM instance_keys WHERE id = ? RETURNING name', keyId);
    if (!row) throw new Fault('not_found', 'instance key not found');
    const detail = { key_id: keyId, name: instanceKeyRow.name(row) };
    yield [noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind: 'instance_key_revoked', actor: 'operator', detail })];
    return { keyId };
  },
  announce: () => [{ topic: 'credentials' }],
};

/** The id of the key with this digest, or null. */
export const findInstanceKey: StoreOperation<string, { keyId: string } | null> = {
  name: 'instanceKeys.find',
  access: 'read',
  *run(digest) {
    const row = yield* selectFirst('SELECT id FROM instance_keys WHERE digest = ?', digest);
    return row ? { keyId: instanceKeyRow.id(row) } : null;
  },
};

/** Records that keys were used; called periodically. */
export const touchInstanceKeys: StoreOperation<{ now: number; keyIds: readonly string[] }, null> = {
  name: 'instanceKeys.touch',
  access: 'write',
  keys: ({ keyIds }) => keyIds,
  *run({ now, keyIds }) {
    // A fixed order prevents deadlocks between processes.
    const sorted = keyIds.toSorted(compareText);
    yield sorted.map((keyId) => sql('UPDATE instance_keys SET last_used_at = ? WHERE id = ?', now, keyId));
    return null;
  },
};
