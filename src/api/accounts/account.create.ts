import { z } from 'zod';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { plans } from '../../rules/accounts/access.ts';
import { createAccountWithKey } from '../../store/accounts/account-with-key.ts';
import { storedKey } from '../../store/accounts/stored-key.ts';
import { readEmail } from './email-field.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { readLocale } from '../contract/locale-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkPassword } from './password-field.ts';

export const accountCreate = defineOperation('POST', 'account.create', {
  summary: 'Creates an account and its first API key.',
  access: 'operator',
  hasSecret: true,
  request: z.object({
    email: requiredText('Address of the owner.'),
    plan: optional(z.enum(plans)).meta({ description: 'Default: `pro`.' }),
    locale: optional(z.string()).meta({
      description: 'Language of the answers. Default: `en`, with which tasks answer in the language of the message.',
    }),
    password: optional(z.string()).meta({ description: "The user's sign-in password; can be set later." }),
  }),
  response: z.object({ account_id: z.string(), email: z.string(), plan: z.enum(plans), key_id: z.string(), api_key: z.string() }),
  async handle(input, context) {
    const secret = newApiKey();
    const email = readEmail(input.email);
    const given = input.password === undefined ? null : checkPassword(input.password);
    const { account, key } = await context.write(createAccountWithKey, {
      account: {
        accountId: newId(context.now),
        email,
        plan: input.plan ?? 'pro',
        locale: input.locale ? readLocale(input.locale) : 'en',
        createdAtMs: context.now,
        password: given === null ? null : await context.passwords.hash(given, 'operator'),
      },
      key: storedKey(secret, 'first key', context.now),
    });
    return { account_id: account.accountId, email: account.email, plan: account.plan, key_id: key.id, api_key: secret };
  },
});
