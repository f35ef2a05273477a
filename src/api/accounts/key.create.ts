import { z } from 'zod';
import { newApiKey } from '@errand/base/ids.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { createApiKey } from '../../store/accounts/api-keys.ts';
import { storedKey } from '../../store/accounts/stored-key.ts';
import { requiredText } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyLimitFields, keyObject, presentKey, readKeyLimits } from './key-object.ts';

export const keyCreate = defineOperation('POST', 'key.create', {
  summary: 'Creates an API key. The key is shown once.',
  access: 'own',
  hasSecret: true,
  request: z.object({ name: requiredText('What the key is for.'), ...keyLimitFields }),
  response: z.object({ api_key: z.string(), key: keyObject }),
  async handle({ name, ...limits }, { principal, now, write }) {
    const secret = newApiKey();
    const key = await write(createApiKey, {
      accountId: principal.accountId,
      ...storedKey(secret, readName(name), now),
      now,
      limits: readKeyLimits(limits, now),
      actor: actorOf(principal),
    });
    return { api_key: secret, key: presentKey(key) };
  },
});
