import { z } from 'zod';
import { pageEnd } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { modelKeyObject, presentModelKey } from './model-key-object.ts';

export const modelListKeys = defineOperation('GET', 'model.listKeys', {
  summary: "Lists the models that the account's tasks use with keys of its own.",
  details:
    'Profiles without one use the models of `service-1.6` if that has one, otherwise those of the service. Keys are never returned.',
  access: 'account',
  request: z.object({}),
  response: z.object({
    data: z.array(modelKeyObject),
    accepts_keys: z.boolean().meta({ description: 'Whether this service uses keys of accounts; if not, these are only stored.' }),
    ...pageEnd,
  }),
  async handle(_, { modelKeys, principal, family }) {
    const own = await modelKeys.list(principal.accountId);
    return { data: own.map((each) => presentModelKey(each, family)), accepts_keys: modelKeys.isAccepting, has_more: false };
  },
});
