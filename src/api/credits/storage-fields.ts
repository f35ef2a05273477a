import { z } from 'zod';
import type { StorageQuotas } from '../../rules/accounts/account-status.ts';
import { limitOf, type StorageUse } from '../../rules/files/storage-quota.ts';
import { type AccountStorage, totalUse } from '../../store/blobs/storage-use.ts';

/** What an account stores, and how much it may. */
export const storageFields = z
  .object({
    bytes: z.int().meta({ description: 'Bytes of uploads, artifacts, workspaces, and their copies.' }),
    files: z.int().meta({ description: 'Number of these files; folders of workspaces count.' }),
    max_bytes: z.int(),
    max_files: z.int(),
  })
  .meta({ id: 'StorageUse' });

export function presentStorage(storage: AccountStorage, usual: StorageUse): z.input<typeof storageFields> {
  return presentUse(totalUse(storage), storage.quotas, usual);
}

/** Presents the use of one or more accounts together with the limit that applies. */
export function presentUse(use: StorageUse, quotas: StorageQuotas, usual: StorageUse): z.input<typeof storageFields> {
  const limit = limitOf(usual, quotas);
  return { ...use, max_bytes: limit.bytes, max_files: limit.files };
}
