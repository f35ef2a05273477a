import { z } from 'zod';
import { readStorageUse } from '../../store/blobs/storage-use.ts';
import { availableCreditsFields, readAvailableCredits } from './available-credits-fields.ts';
import { presentStorage, storageFields } from './storage-fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';

async function readStorage({ principal: { accountId }, storageLimit, read }: Context) {
  return presentStorage(await read(readStorageUse, { accountId }), storageLimit);
}

export const usageAvailableCredits = defineOperation('GET', 'usage.availableCredits', {
  summary: "Returns the account's credit balance by type, and how much it stores.",
  access: 'account',
  request: z.object({}),
  response: z.object({
    data: z.object({ ...availableCreditsFields, storage: storageFields }).meta({ id: 'AvailableCredits' }),
  }),
  async handle(_, context) {
    return { data: { ...(await readAvailableCredits(context)), storage: await readStorage(context) } };
  },
});
