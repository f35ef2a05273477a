import { z } from 'zod';
import { hasPassword } from '../../store/accounts/account-passwords.ts';
import { listIdentities } from '../../store/accounts/identities.ts';
import { defineOperation } from '../contract/operation.ts';
import { identityObject, presentIdentity } from './identity-object.ts';

export const identityList = defineOperation({
  name: 'identity.list',
  method: 'GET',
  summary: 'Lists who signs in to the account at providers of OpenID Connect, and the provider that is set up.',
  access: 'own',
  request: z.object({}),
  response: z.object({
    data: z.array(identityObject),
    provider: z.object({ name: z.string(), issuer: z.string() }).nullable(),
    has_password: z.boolean().meta({ description: 'Whether the account has a password, with which its user could sign in.' }),
  }),
  async handle(_, { principal, provider, read }) {
    const { accountId } = principal;
    const identities = await read(listIdentities, { accountId });
    return { data: identities.map(presentIdentity), provider, has_password: await read(hasPassword, { accountId }) };
  },
});
