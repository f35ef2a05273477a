import {
  addUse,
  describeUse,
  isAbove,
  limitOf,
  noUse,
  type StorageLimits,
  type StorageUse,
} from '../../rules/files/storage-quota.ts';
import { type AccountStorage, readStorageUse, totalUse } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';
import type { WorkspaceQuota } from '@errand/sandbox/workspace';

/** Keeps what a setup script makes within the limits of a workspace and of its account. What it was measured to take last is in `use`. */
export interface SetupQuota extends WorkspaceQuota {
  readonly use: StorageUse;
}

/** The quota of one run. What other tasks of the account write meanwhile counts only for the next run. */
export function createSetupQuota(database: Database, accountId: string, { account, task }: StorageLimits): SetupQuota {
  let stored: AccountStorage | null = null;
  let use = noUse;
  return {
    get use() {
      return use;
    },
    limit: { bytes: task.bytes, entries: task.files },
    text: `its files would take more than ${describeUse(task)}, or more than ${describeUse(account)} with the other files of the account`,
    async hold() {
      stored = await database.run(readStorageUse, { accountId });
      return { [Symbol.dispose]: () => undefined };
    },
    prepare: () => Promise.resolve(),
    allows({ bytes, entries }) {
      use = { bytes, files: entries };
      if (isAbove(use, task)) return false;
      return stored === null || !isAbove(addUse(totalUse(stored), use), limitOf(account, stored.quotas));
    },
    finish: () => Promise.resolve(),
    claim: () => Promise.resolve(),
    check: () => Promise.resolve(),
  };
}
