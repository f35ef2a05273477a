import { z } from 'zod';
import { hasPassword } from '../../store/accounts/account-passwords.ts';
import { listIdentities } from '../../store/accounts/identities.ts';
import { defineOperation } from '../contract/operation.ts';
import { identityObject, presentIdentity } from './identity-object.ts';

export const identityList = defineOperation('GET', 'identity.list', {
  summary: "Lists the account's OpenID Connect identities and the configured provider.",
  access: 'own',
  request: z.object({}),
  response: z.object({
    data: z.array(identityObject),
    provider: z.object({ name: z.string(), issuer: z.string() }).nullable(),
    has_password: z.boolean().meta({ description: 'Whether the account has a password to sign in with.' }),
  }),
  async handle(_, { principal, provider, read }) {
    const { accountId } = principal;
    const identities = await read(listIdentities, { accountId });
    return { data: identities.map(presentIdentity), provider, has_password: await read(hasPassword, { accountId }) };
  },
});
