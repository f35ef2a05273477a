import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { changeAccount } from '../../store/accounts/account-changes.ts';
import { optional } from '../contract/fields.ts';
import { readLocale } from '../contract/locale-field.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { checkPassword } from './password-field.ts';
import { accountObject, presentAccount } from './account-object.ts';
import { checkOwnPassword } from './own-password.ts';
import { sessionIdOf } from './session-id.ts';

/** What is stored for a new password, which requires the old one. */
async function hashPassword(password: string, current: string | undefined, context: Context): Promise<string> {
  checkPassword(password);
  await checkOwnPassword(current, 'current_password', context);
  return context.passwords.hash(password, context.principal.accountId);
}

export const accountUpdate = defineOperation('POST', 'account.update', {
  summary: "Updates the account's language or password. A new password signs out all other sessions.",
  access: 'browser',
  hasSecret: true,
  request: z.object({
    locale: optional(z.string()).meta({ description: 'A BCP 47 tag.' }),
    password: optional(z.string()).meta({ description: 'The new password, of 8 to 200 characters.' }),
    current_password: optional(z.string()).meta({ description: 'Required with `password`.' }),
  }),
  response: z.object({ account: accountObject }),
  async handle({ locale, password, current_password: current }, context) {
    if (locale === undefined && password === undefined) throw invalidField('locale', 'nothing to change');
    const { principal, now, write } = context;
    const change = {
      accountId: principal.accountId,
      locale: locale === undefined ? null : readLocale(locale),
      passwordHash: password === undefined ? null : await hashPassword(password, current, context),
      sessionId: sessionIdOf(principal),
      actor: actorOf(principal),
      now,
    };
    return { account: presentAccount(await write(changeAccount, change)) };
  },
});
