import { z } from 'zod';
import { newApiKey } from '@errand/base/ids.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { createApiKey } from '../../store/accounts/api-keys.ts';
import { storedKey } from '../../store/accounts/stored-key.ts';
import { keyLimitFields, keyObject, presentKey, readKeyLimits } from '../accounts/key-object.ts';
import { optional } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { accountReference, readManaged } from './managed-account-object.ts';

export const instanceCreateKey = defineOperation('POST', 'instance.createKey', {
  summary: 'Creates an API key of an account. The key is shown once.',
  access: 'instance',
  hasSecret: true,
  request: z.object({
    account_id: accountReference,
    name: optional(z.string()).meta({ description: 'What the key is for. Default: `instance`.' }),
    ...keyLimitFields,
  }),
  response: z.object({ api_key: z.string(), key: keyObject }),
  async handle({ account_id, name = 'instance', ...limits }, context) {
    const { accountId } = await readManaged(account_id, context);
    const { now, principal, write } = context;
    const secret = newApiKey();
    const key = await write(createApiKey, {
      accountId,
      ...storedKey(secret, readName(name), now),
      now,
      limits: readKeyLimits(limits, now),
      actor: actorOf(principal),
    });
    return { api_key: secret, key: presentKey(key) };
  },
});
