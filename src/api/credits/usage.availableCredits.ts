import { z } from 'zod';
import { availableCreditsFields, readAvailableCredits } from './available-credits-fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const usageAvailableCredits = defineOperation('GET', 'usage.availableCredits', {
  summary: "Returns the account's credit balance by type.",
  access: 'account',
  request: z.object({}),
  response: z.object({ data: z.object(availableCreditsFields).meta({ id: 'AvailableCredits' }) }),
  async handle(_, context) {
    return { data: await readAvailableCredits(context) };
  },
});
