import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { changeCredits } from '../../store/credits/credit-balances.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { isLongerThan } from '../contract/text-length.ts';

const maxCredits = 1_000_000_000;
const maxTitleLength = 200;

function readTitle(title: string | undefined, credits: number): string {
  const clean = toOneLine(title ?? '');
  if (isLongerThan(clean, maxTitleLength)) throw invalidField('title', `must have at most ${maxTitleLength} characters`);
  return clean || (credits < 0 ? 'Deduction' : 'Grant');
}

export const creditsGrant = defineOperation('POST', 'credits.grant', {
  summary: 'Grants credits to the account, or deducts them.',
  access: 'operator',
  request: z.object({
    credits: z.int().meta({ description: 'A negative number deducts credits.' }),
    title: optional(z.string()).meta({ description: 'The reason, shown to the account in usage.list.' }),
  }),
  response: z.object({ account_id: z.string(), credits: z.int() }),
  async handle({ credits, title }, { principal: { accountId }, now, write }) {
    if (credits === 0 || Math.abs(credits) > maxCredits) {
      throw invalidField('credits', `must be a whole number other than 0, at most ${maxCredits}`);
    }
    const record = { accountId, recordId: newId(now), credits, kind: 'addon' as const, title: readTitle(title, credits), now };
    await write(changeCredits, record);
    return { account_id: accountId, credits };
  },
});
