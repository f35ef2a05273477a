import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { addOwner } from '../../../test/support/http/api-under-test.ts';
import { addTrigger } from '../../../test/support/triggers/sample-trigger.ts';
import type { WatchedBucket } from '../../rules/triggers/watched-bucket.ts';
import { deleteTrigger, getTrigger, updateTrigger } from './triggers.ts';
import { endBucketLook, findSeenObjects, deleteGoneObjects, listSeenObjects, passObjects, renewLook } from './watched-buckets.ts';
import { claimLooks, type Look } from './watched-folders.ts';

const bucket: WatchedBucket = {
  ...{ endpoint: 'https://s3.example.com', region: 'us-east-1', name: 'drop', prefix: '', pattern: '*', after: 'keep' },
};

describeStores('the watched buckets of the store', (store) => {
  const add = async () => {
    const { accountId } = await addOwner(store.database);
    const key = { accountId, triggerId: newId(1) };
    await addTrigger(store.database, { ...key, now: 1000 }, { type: 'bucket', bucket, objectsFromMs: 900 });
    return key;
  };
  const claim = (type: 'bucket' | 'folder' = 'bucket', database = store.database) =>
    database.run(claimLooks, { type, slots: 100, leaseMs: 60_000, busy: [], mostOfOne: 100 });
  const lookOf = (looks: Look[], { triggerId }: { triggerId: string }) => looks.find(({ trigger }) => trigger.id === triggerId);
  const claimOf = async (key: { accountId: string; triggerId: string }) => {
    const look = lookOf(await claim(), key);
    if (!look) throw new Error('nobody looks at the bucket');
    return { look, lease: { ...key, lookAtMs: look.lookAtMs }, knownAtMs: look.trigger.updatedAtMs };
  };
  const seen = (digest: string) => ({ digest, version: 'v1' });

  it('are looked at by one of many processes, and never as folders', async () => {
    const key = await add();
    expect(lookOf(await claim('folder'), key)).toBeUndefined();
    const databases = [store.database, ...store.others];
    const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => claim('bucket', databases[index % 3])));
    expect(claims.flatMap((found) => lookOf(found, key) ?? [])).toMatchObject([
      { trigger: { bucket }, seenAtMs: 900, failures: 0 },
    ]);
  });

  it('know objects in the state in which they were passed, page by page, for the look that has the lease alone', async () => {
    const key = await add();
    const { lease, knownAtMs } = await claimOf(key);
    const objects = ['a', 'b', 'c'].map(seen);
    expect(await store.database.run(passObjects, { ...lease, knownAtMs, objects })).toBe(true);
    const stale = { ...lease, lookAtMs: lease.lookAtMs - 1 };
    expect(await store.database.run(passObjects, { ...stale, knownAtMs, objects: [seen('d')] })).toBe(false);
    expect(await store.database.run(passObjects, { ...lease, knownAtMs: knownAtMs - 1, objects: [seen('d')] })).toBe(false);
    expect(await store.database.run(deleteGoneObjects, { ...stale, digests: ['a'] })).toBe(false);
    const found = await store.database.run(findSeenObjects, { ...key, digests: ['a', 'c', 'd'] });
    expect(found.toSorted((one, other) => (one.digest < other.digest ? -1 : 1))).toEqual([
      { ...seen('a'), changedAtMs: null },
      { ...seen('c'), changedAtMs: null },
    ]);
    expect(await store.database.run(listSeenObjects, { ...key, after: 'a', limit: 1 })).toEqual(['b']);
    expect(await store.database.run(deleteGoneObjects, { ...lease, digests: ['a', 'b', 'x'] })).toBe(true);
    expect(await store.database.run(listSeenObjects, { ...key, after: '', limit: 9 })).toEqual(['c']);
  });

  it('keep their look by renewals, of which each ends the proof before it', async () => {
    const key = await add();
    const { lease } = await claimOf(key);
    const renewed = await store.database.run(renewLook, { ...lease, leaseMs: 60_000 });
    expect(renewed).toBeGreaterThan(lease.lookAtMs);
    expect(await store.database.run(renewLook, { ...lease, leaseMs: 60_000 })).toBeNull();
  });

  it('count every unknown object as new once a list is through, and remember failures until one is not', async () => {
    const key = await add();
    const end = { waitMs: 0, problem: 'away', failures: 2, isComplete: false };
    await store.database.run(endBucketLook, { ...(await claimOf(key)).lease, ...end });
    const { look, lease } = await claimOf(key);
    expect(look).toMatchObject({ seenAtMs: 900, failures: 2, trigger: { watchProblem: 'away' } });
    await store.database.run(endBucketLook, { ...lease, waitMs: 0, problem: null, failures: 0, isComplete: true });
    expect((await claimOf(key)).look).toMatchObject({ seenAtMs: 0, failures: 0, trigger: { watchProblem: null } });
  });

  it('begin anew with another place, not with other keys, and leave nothing when they are deleted', async () => {
    const key = await add();
    const { lease, knownAtMs } = await claimOf(key);
    await store.database.run(passObjects, { ...lease, knownAtMs, objects: [seen('a')] });
    const change = async (settings: Parameters<typeof updateTrigger.run>[0]['settings']) => {
      const { updatedAtMs } = await store.database.run(getTrigger, key);
      await store.database.run(updateTrigger, { ...key, settings, knownAtMs: updatedAtMs, now: 2000 });
      return store.database.run(listSeenObjects, { ...key, after: '', limit: 9 });
    };
    expect(await change({ bucket, sealedSecret: 'other' })).toEqual(['a']);
    // A look with the settings before ends without effect.
    expect(await store.database.run(renewLook, { ...lease, leaseMs: 60_000 })).toBeNull();
    expect(await change({ bucket: { ...bucket, prefix: 'in/' }, objectsFromMs: 1900 })).toEqual([]);
    const next = await claimOf(key);
    expect(next.look.seenAtMs).toBe(1900);
    await store.database.run(passObjects, { ...next.lease, knownAtMs: next.knownAtMs, objects: [seen('b')] });
    await store.database.run(deleteTrigger, { ...key, now: 3000 });
    expect(await store.database.run(listSeenObjects, { ...key, after: '', limit: 9 })).toEqual([]);
  });
});
