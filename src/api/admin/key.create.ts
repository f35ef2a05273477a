import { z } from 'zod';
import { invalidField } from '../../base/fault.ts';
import { newApiKey, newId } from '../../base/ids.ts';
import { digestSecret } from '../../base/secret.ts';
import { cleanTitle } from '../../rules/title.ts';
import { createApiKey } from '../../store/api-keys.ts';
import { requiredText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { isLongerThan } from '../text-length.ts';
import { keyObject, presentKey } from './key-object.ts';

const maxNameLength = 100;

function readName(name: string): string {
  const clean = cleanTitle(name);
  if (clean === '') throw invalidField('name', 'must not be empty');
  if (isLongerThan(clean, maxNameLength)) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

export const keyCreate = defineOperation({
  name: 'key.create',
  method: 'POST',
  summary: 'Creates an API key for the account; the key itself is shown this once.',
  access: 'operator',
  cost: 'write',
  showsSecret: true,
  request: z.object({ name: requiredText('What the key is for.') }),
  response: z.object({ api_key: z.string(), key: keyObject }),
  async handle({ name }, { principal, now, write }) {
    const secret = newApiKey();
    const key = await write(createApiKey, {
      accountId: principal.accountId,
      keyId: newId(now),
      name: readName(name),
      digest: digestSecret(secret),
      tail: secret.slice(-4),
      now,
    });
    return { api_key: secret, key: presentKey(key) };
  },
});
