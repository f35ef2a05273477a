import { z } from 'zod';
import { availableCreditsFields, readAvailableCredits } from './available-credits-fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const usageAvailableCredits = defineOperation({
  name: 'usage.availableCredits',
  method: 'GET',
  summary: 'Tells how many credits the account has, and of which kind.',
  access: 'account',
  request: z.object({}),
  response: z.object({ data: z.object(availableCreditsFields).meta({ id: 'AvailableCredits' }) }),
  async handle(_, context) {
    return { data: await readAvailableCredits(context) };
  },
});
