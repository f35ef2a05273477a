import { z } from 'zod';
import { addUse } from '../../rules/files/storage-quota.ts';
import { readStorageUse } from '../../store/blobs/storage-use.ts';
import { availableCreditsFields, readAvailableCredits } from './available-credits-fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';

const storageFields = {
  bytes: z.int().meta({ description: 'Bytes of uploads, artifacts, workspaces, and their copies.' }),
  files: z.int().meta({ description: 'Number of these files; folders of workspaces count.' }),
  max_bytes: z.int(),
  max_files: z.int(),
};

async function readStorage({ principal: { accountId }, storageLimit, read }: Context) {
  const { blobs, workspaces } = await read(readStorageUse, { accountId });
  return { ...addUse(blobs, workspaces), max_bytes: storageLimit.bytes, max_files: storageLimit.files };
}

export const usageAvailableCredits = defineOperation('GET', 'usage.availableCredits', {
  summary: "Returns the account's credit balance by type, and how much it stores.",
  access: 'account',
  request: z.object({}),
  response: z.object({
    data: z
      .object({ ...availableCreditsFields, storage: z.object(storageFields).meta({ id: 'StorageUse' }) })
      .meta({ id: 'AvailableCredits' }),
  }),
  async handle(_, context) {
    return { data: { ...(await readAvailableCredits(context)), storage: await readStorage(context) } };
  },
});
