import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { setPassword } from '../../store/accounts/account-passwords.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkPassword } from './password-field.ts';

export const accountSetPassword = defineOperation('POST', 'account.setPassword', {
  summary: "Sets the sign-in password of the account's user.",
  access: 'operator',
  hasSecret: true,
  request: z.object({ password: requiredText('From 8 to 200 characters.') }),
  response: z.object({ account_id: z.string() }),
  async handle({ password }, { principal, now, passwords, write }) {
    const hash = await passwords.hash(checkPassword(password), principal.accountId);
    const { accountId } = principal;
    await write(setPassword, { accountId, hash, now, actor: actorOf(principal) });
    return { account_id: accountId };
  },
});
