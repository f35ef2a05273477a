import { z } from 'zod';
import { newInstanceKey } from '@errand/base/ids.ts';
import { createInstanceKey } from '../../store/instance/instance-keys.ts';
import { storedKey } from '../../store/accounts/stored-key.ts';
import { instanceKeyObject, presentInstanceKey } from '../accounts/key-object.ts';
import { requiredText } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';

export const operatorCreateKey = defineOperation('POST', 'operator.createKey', {
  summary: 'Creates a key that administers the instance. The key is shown once.',
  access: 'operator',
  hasSecret: true,
  request: z.object({ name: requiredText('What the key is for.') }),
  response: z.object({ api_key: z.string(), key: instanceKeyObject }),
  async handle({ name }, { now, write }) {
    const secret = newInstanceKey();
    const key = await write(createInstanceKey, { ...storedKey(secret, readName(name), now), now });
    return { api_key: secret, key: presentInstanceKey(key) };
  },
});
