import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { plans } from '../../rules/accounts/access.ts';
import { type Account, findAccount } from '../../store/accounts/accounts.ts';
import type { Context } from '../contract/operation.ts';

/** The account of the signed-in user. */
export const accountObject = z
  .object({
    id: z.string(),
    email: z.string(),
    plan: z.enum(plans),
    locale: z.string().meta({ description: 'Language of the web application and of task output; a BCP 47 tag.' }),
  })
  .meta({ id: 'Account' });

export function presentAccount({ accountId, email, plan, locale }: Account): z.input<typeof accountObject> {
  return { id: accountId, email, plan, locale };
}

/** The account of the caller as it is stored now. */
export async function readOwnAccount({ principal, read }: Context): Promise<Account> {
  const account = await read(findAccount, principal.accountId);
  if (!account) throw new Fault('unauthenticated', 'You are signed out.');
  return account;
}
