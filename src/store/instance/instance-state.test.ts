import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { getInstanceValue, proveWrite, setInstanceValue } from './instance-values.ts';
import { readQueueState } from './queue-state.ts';
import { deleteExpiredRates, leaseRate, returnRate } from './rate-limit-leases.ts';
import { addSigningKey, readSigningKeys } from './signing-keys.ts';

describeStores('an instance', (store) => {
  it('has a value under a name once one is stored, and none before', async () => {
    expect(await store.database.run(getInstanceValue, 'color')).toBeNull();
    await store.database.run(setInstanceValue, { name: 'color', value: 'red' });
    expect(await store.database.run(setInstanceValue, { name: 'color', value: 'blue' })).toBe('red');
    expect(await store.database.run(getInstanceValue, 'color')).toBe('red');
  });

  it('proves that it can be written, again and again', async () => {
    await store.database.run(proveWrite, 1);
    await store.database.run(proveWrite, 2);
    expect(await store.query("SELECT value FROM instance WHERE name = 'written_at'")).toEqual([{ value: '2' }]);
  });

  it('knows how many tasks run and how long the oldest has waited', async () => {
    expect(await store.database.run(readQueueState, null)).toEqual({ runningTasks: 0, taskAgeMs: 0, deliveryAgeMs: 0 });
    await createTasks(store.database, newAccountId(), 2);
    await store.query('UPDATE tasks SET wake_at = 1 RETURNING id');
    const state = await store.database.run(readQueueState, null);
    expect(state.runningTasks).toBe(2);
    expect(state.taskAgeMs).toBeGreaterThan(Date.UTC(2025, 0, 1));
  });

  it('stores a generation of signing keys once, and the previous one stays valid for a while', async () => {
    const add = (generation: number, rsa: string, overlapMs = 60_000) =>
      store.database.run(addSigningKey, { generation, rsa, ed25519: rsa, now: generation, overlapMs });
    await Promise.all([add(1, 'one'), add(1, 'one')]);
    await add(1, 'other');
    expect(await store.database.run(readSigningKeys, null)).toMatchObject([{ generation: 1, rsa: 'one', retiresAtMs: null }]);
    await add(2, 'two');
    await add(3, 'three', 0);
    const keys = await store.database.run(readSigningKeys, null);
    expect(keys.map(({ generation }) => generation)).toEqual([3, 1]);
    expect(keys[1]?.retiresAtMs).toEqual(expect.any(Number));
  });

  it('lets processes share a limit, and reuse what one returns', async () => {
    const key = { ownerId: newAccountId(), rateClass: 'read' as const };
    const lease = () => store.database.run(leaseRate, { ...key, limit: 8, wanted: 8 });
    const taken = await lease();
    expect(taken).toMatchObject({ granted: 2, remaining: 6 });
    await store.database.run(returnRate, { ...key, second: taken.second, count: 2 });
    expect(await lease()).toMatchObject({ granted: 2, remaining: 6 });
    expect(await store.database.run(deleteExpiredRates, { limit: 5 })).toBe(0);
    await store.query('UPDATE rate_windows SET touched_at = 1 RETURNING class');
    expect(await store.database.run(deleteExpiredRates, { limit: 5 })).toBe(1);
  });
});
