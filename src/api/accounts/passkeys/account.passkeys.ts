import { z } from 'zod';
import { hasPassword } from '../../../store/accounts/account-passwords.ts';
import { listPasskeys } from '../../../store/accounts/passkeys/passkeys.ts';
import { defineOperation } from '../../contract/operation.ts';
import { describePasskey, findPasskeySite, passkeyObject } from './passkey-fields.ts';

export const accountPasskeys = defineOperation('GET', 'account.passkeys', {
  summary: 'Lists the passkeys with which the account can be signed in to, oldest first.',
  access: 'browser',
  request: z.object({}),
  response: z.object({
    data: z.array(passkeyObject),
    site: z.string().nullable().meta({
      description: 'The origin at which passkeys are made and used; null where this service has none.',
    }),
    has_password: z.boolean().meta({ description: 'Whether the account has a password, without which no passkey can be added.' }),
  }),
  async handle(_, context) {
    const { principal, read } = context;
    const { accountId } = principal;
    const [passkeys, isProtected] = await Promise.all([read(listPasskeys, { accountId }), read(hasPassword, { accountId })]);
    return {
      data: passkeys.map(describePasskey),
      site: findPasskeySite(context)?.origin ?? null,
      has_password: isProtected,
    };
  },
});
