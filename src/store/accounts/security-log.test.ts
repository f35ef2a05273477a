import { describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { systemClock } from '@errand/base/clock.ts';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import { createAccountWithKey } from './account-with-key.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import type { Database } from '../db/database.ts';
import type { NotifySecurityEvent } from '../db/notified-security-events.ts';
import { openPostgres } from '../postgres-open.ts';
import { openSqlite } from '../sqlite-open.ts';
import { listSecurityEvents } from './security-events.ts';

const engines: Record<string, (notify: NotifySecurityEvent) => Promise<{ database: Database; remove: () => Promise<void> }>> = {
  async sqlite(notify) {
    const folder = createFolder('told');
    const database = await openSqlite(folder, systemClock, { notify });
    return { database, remove: () => Promise.resolve(removeFolder(folder)) };
  },
  async postgres(notify) {
    const url = await createDatabase();
    return { database: await openPostgres(url, systemClock, { notify }), remove: () => dropDatabase(url) };
  },
};

describe.each(Object.keys(engines))('the security log on %s', (engine) => {
  it('has exactly one line for every recorded event, and none for what was rolled back', async () => {
    const notified: SecurityEvent[] = [];
    const { database, remove } = (await engines[engine]?.((event) => notified.push(event))) ?? {};
    if (!database || !remove) throw new Error('no store');
    const [accountId, now] = [newId(1), 1];
    const account = { accountId, email: 'a@example.com', plan: 'pro' as const, locale: 'en', createdAtMs: now };
    const keyOf = (keyId: string) => ({ keyId, name: 'k', digest: digestSecret(newApiKey()), tail: 'abcd' });
    await database.run(createAccountWithKey, { account, key: keyOf(newId(1)) });
    const create = (keyId: string, of = accountId) =>
      database.run(createApiKey, { accountId: of, ...keyOf(keyId), now, actor: 'operator' });
    // In one batch: an account that does not exist, and a name that the second write has already taken.
    const ids = Array.from({ length: 8 }, () => newId(now));
    const taken = ids[0] ?? '';
    const outcomes = await Promise.allSettled([...ids.map((id) => create(id)), create(newId(now), newId(2)), create(taken)]);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([...ids.map(() => true), false, false]);
    const once = { accountId, key: 'k', operation: 'key.revoke', bodyDigest: 'd', now };
    for (let round = 0; round < 2; round++) await database.runOnce(revokeApiKey, { accountId, keyId: taken, now }, once);
    const record = await database.run(listSecurityEvents, { accountId, beforeId: null, limit: 100 });
    const inOrder = (events: readonly SecurityEvent[]) => events.map((event) => JSON.stringify(event)).toSorted();
    expect(inOrder(notified)).toEqual(inOrder(record.map(({ id: _id, ...event }) => event)));
    expect(notified.filter(({ kind }) => kind === 'key_created')).toHaveLength(9);
    expect(notified.filter(({ kind }) => kind === 'key_revoked')).toHaveLength(1);
    await database.close();
    await remove();
  });
});
