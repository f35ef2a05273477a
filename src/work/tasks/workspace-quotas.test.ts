import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { StorageUse } from '../../rules/files/storage-quota.ts';
import { readStorageUse } from '../../store/blobs/storage-use.ts';
import { WorkspaceQuotas } from './workspace-quotas.ts';

const megabyte = 1024 * 1024;

/** Quotas of 100 MB for an account and 60 for a task; what its workspaces take. */
function openQuotas() {
  const database = new MemoryDatabase(new TestClock());
  const sizes = new Map<string, StorageUse>();
  const quotas = new WorkspaceQuotas({
    database,
    limits: { account: { bytes: 100 * megabyte, files: 1000 }, task: { bytes: 60 * megabyte, files: 500 } },
    log: silentLog,
    measure: (_, taskId) => Promise.resolve(sizes.get(taskId) ?? { bytes: 0, files: 0 }),
  });
  const stored = async () => (await database.run(readStorageUse, { accountId: 'a1' })).workspaces.bytes / megabyte;
  return { quotas, sizes, stored };
}

const use = (megabytes: number) => ({ bytes: megabytes * megabyte, entries: 1 });

describe('the quota of a workspace', () => {
  it('counts commands that run together, so that they cannot exceed the account together', async () => {
    const { quotas, stored } = openQuotas();
    const [one, other, stranger] = [quotas.of('a1', 't1'), quotas.of('a1', 't2'), quotas.of('a2', 't3')];
    for (const quota of [one, other, stranger]) await quota.prepare();
    expect(one.allows(use(55))).toBe(true);
    expect(other.allows(use(40))).toBe(true);
    expect(other.allows(use(50))).toBe(false);
    expect(stranger.allows(use(50))).toBe(true);
    await one.finish();
    expect(await stored()).toBe(55);
    expect(other.allows(use(50))).toBe(false);
    expect(other.allows(use(44))).toBe(true);
  });

  it('holds what runs between two commands to the account, and has its size on record before it has ended', async () => {
    const { quotas, stored } = openQuotas();
    const [one, other] = [quotas.of('a1', 't1'), quotas.of('a1', 't2')];
    const [sandbox, stranger] = [await one.hold(), await other.hold()];
    expect(one.allows(use(1))).toBe(true);
    await one.finish();
    expect(one.allows(use(50))).toBe(true);
    await expect.poll(stored).toBe(50);
    await other.finish();
    expect(other.allows(use(51))).toBe(false);
    expect(other.allows(use(49))).toBe(true);
    expect(one.allows(use(59))).toBe(false);
    sandbox[Symbol.dispose]();
    stranger[Symbol.dispose]();
    expect(one.allows(use(59))).toBe(true);
  });

  it('lets a command shrink a workspace that is too large, but not fill it further', async () => {
    const { quotas } = openQuotas();
    const quota = quotas.of('a1', 't1');
    await quota.prepare();
    expect(quota.allows(use(70))).toBe(false);
    await quota.finish();
    await quota.prepare();
    expect(quota.allows(use(69))).toBe(true);
    expect(quota.allows(use(75))).toBe(false);
    expect(quota.allows(use(10))).toBe(true);
    await quota.finish();
    await quota.prepare();
    expect(quota.allows(use(50))).toBe(true);
  });

  it('refuses what the service would write beyond it, naming limit and remedy, and counts a replaced file once', async () => {
    const { quotas, sizes, stored } = openQuotas();
    const quota = quotas.of('a1', 't1');
    for (let round = 0; round < 20; round++) {
      await quota.claim(10 * megabyte, 1);
      sizes.set('t1', { bytes: 10 * megabyte, files: 1 });
    }
    await expect(quota.claim(55 * megabyte, 1)).rejects.toMatchObject({
      code: 'resource_exhausted',
      message: expect.stringMatching(/more than 60 MB or 500 files.*remove what is not needed/) as string,
    });
    expect(await stored()).toBe(10);
    await quota.claim(45 * megabyte, 1);
  });
});
