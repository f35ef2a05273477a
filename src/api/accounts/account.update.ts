import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { changeAccount } from '../../store/accounts/account-changes.ts';
import { findSignIn } from '../../store/accounts/account-passwords.ts';
import { optional } from '../contract/fields.ts';
import { readLocale } from '../contract/locale-field.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { checkPassword } from './password-field.ts';
import { accountObject, presentAccount, readOwnAccount } from './account-object.ts';
import { sessionIdOf } from './session-id.ts';

/** What is stored for a new password. Requires the old one, which somebody at an unattended browser does not know. */
async function hashPassword(password: string, current: string | undefined, context: Context): Promise<string> {
  const { principal, passwords, passwordPace, read } = context;
  checkPassword(password);
  const waitS = await passwordPace.take(principal.accountId);
  if (waitS > 0) {
    throw new Fault('resource_exhausted', 'Too many attempts. Wait a while and try again.', { retryAfterS: waitS });
  }
  const known = await read(findSignIn, (await readOwnAccount(context)).email);
  if (current === undefined || !(await passwords.verify(current.slice(0, 1000), known?.hash ?? null, principal.accountId))) {
    throw invalidField('current_password', 'is wrong');
  }
  await passwordPace.clear(principal.accountId);
  return passwords.hash(password, principal.accountId);
}

export const accountUpdate = defineOperation('POST', 'account.update', {
  summary: "Updates the account's language or password. A new password signs out all other sessions.",
  access: 'browser',
  hasSecret: true,
  request: z.object({
    locale: optional(z.string()).meta({ description: 'A BCP 47 tag.' }),
    password: optional(z.string()).meta({ description: 'From 8 to 200 characters.' }),
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
