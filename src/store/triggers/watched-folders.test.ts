import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { addOwner } from '../../../test/support/http/api-under-test.ts';
import { addAnotherTrigger, addTrigger } from '../../../test/support/triggers/sample-trigger.ts';
import { getTrigger, updateTrigger } from './triggers.ts';
import { claimLooks, endLook, type Look, passFile } from './watched-folders.ts';

const watched = { root: 'drop', path: '', pattern: '*' };

describeStores('the watched folders of the store', (store) => {
  const add = async () => {
    const { accountId } = await addOwner(store.database);
    const key = { accountId, triggerId: newId(1) };
    await addTrigger(store.database, { ...key, now: 1000 }, { type: 'folder', watched });
    return key;
  };
  const claim = (database = store.database) =>
    database.run(claimLooks, { type: 'folder', slots: 100, leaseMs: 60_000, busy: [], mostOfOne: 100 });
  const lookOf = (looks: Look[], { triggerId }: { triggerId: string }) => looks.find(({ trigger }) => trigger.id === triggerId);
  const claimOf = async (key: { triggerId: string }) => {
    const look = lookOf(await claim(), key);
    if (!look) throw new Error('nobody looks at the folder');
    return look;
  };

  it('are looked at by one of many processes, and again once their time has come', async () => {
    const key = await add();
    const databases = [store.database, ...store.others];
    const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => claim(databases[index % 3])));
    const looks = claims.flatMap((found) => lookOf(found, key) ?? []);
    expect(looks).toMatchObject([{ trigger: { watched }, seenName: '' }]);
    const lookAtMs = looks[0]?.lookAtMs ?? 0;
    await store.database.run(endLook, { ...key, lookAtMs, waitMs: 60_000, problem: null });
    expect(lookOf(await claim(), key)).toBeUndefined();
  });

  it('remember the newest file that was taken, for the look that has the lease alone', async () => {
    const key = await add();
    const { lookAtMs, trigger } = await claimOf(key);
    const passed = { ...key, lookAtMs, knownAtMs: trigger.updatedAtMs, seenAtMs: 2000, seenName: 'a' };
    expect(await store.database.run(passFile, passed)).toBe(true);
    expect(await store.database.run(passFile, { ...passed, lookAtMs: lookAtMs - 1, seenAtMs: 3000 })).toBe(false);
    await store.database.run(endLook, { ...key, lookAtMs: lookAtMs - 1, waitMs: 0, problem: 'not mine' });
    expect((await store.database.run(getTrigger, key)).watchProblem).toBeNull();
    await store.database.run(endLook, { ...key, lookAtMs, waitMs: 0, problem: 'no folder' });
    expect(await claimOf(key)).toMatchObject({ seenAtMs: 2000, seenName: 'a', trigger: { watchProblem: 'no folder' } });
  });

  it('find a file again whose trigger was paused and resumed while it was taken', async () => {
    const key = await add();
    const { lookAtMs, trigger } = await claimOf(key);
    let knownAtMs = trigger.updatedAtMs;
    for (const status of ['paused', 'active'] as const) {
      ({ updatedAtMs: knownAtMs } = await store.database.run(updateTrigger, {
        ...key,
        settings: { status },
        knownAtMs,
        now: 2000,
      }));
    }
    const passed = { ...key, lookAtMs, knownAtMs: trigger.updatedAtMs, seenAtMs: 2000, seenName: 'a' };
    expect(await store.database.run(passFile, passed)).toBe(false);
  });

  it('are few of one account at once', async () => {
    const key = await add();
    const others = Array.from({ length: 2 }, (_, index) => ({ ...key, triggerId: newId(2 + index) }));
    for (const other of others) await addAnotherTrigger(store.database, { ...other, now: 1000 }, { type: 'folder', watched });
    const stranger = await add();
    const args = { type: 'folder' as const, slots: 100, leaseMs: 60_000, mostOfOne: 2 };
    const accountsOf = (looks: Look[]) =>
      looks.map(({ trigger }) => trigger.accountId).filter((id) => id === key.accountId || id === stranger.accountId);
    const first = await store.database.run(claimLooks, { ...args, busy: [] });
    expect(accountsOf(first).toSorted()).toEqual([key.accountId, key.accountId, stranger.accountId].toSorted());
    const busy = [key.accountId, key.accountId];
    expect(accountsOf(await store.database.run(claimLooks, { ...args, busy }))).toEqual([]);
    expect(accountsOf(await store.database.run(claimLooks, { ...args, busy: [key.accountId] }))).toEqual([key.accountId]);
  });

  it('wait while their trigger is paused', async () => {
    const key = await add();
    const { updatedAtMs: knownAtMs } = await store.database.run(getTrigger, key);
    await store.database.run(updateTrigger, { ...key, settings: { status: 'paused' }, knownAtMs, now: 2000 });
    expect(lookOf(await claim(), key)).toBeUndefined();
  });
});
