import { z } from 'zod';
import { listApiKeys } from '../../store/accounts/api-keys.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyObject, presentKey } from './key-object.ts';

export const keyList = defineOperation({
  name: 'key.list',
  method: 'GET',
  summary: 'Lists the live API keys of the account, oldest first.',
  access: 'own',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(keyObject) }),
  async handle(_, { principal, read }) {
    const keys = await read(listApiKeys, principal.accountId);
    return { data: keys.map(presentKey) };
  },
});
