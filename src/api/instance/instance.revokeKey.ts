import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { findAccountOfKey, revokeApiKey } from '../../store/accounts/api-keys.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readManaged } from './managed-account-object.ts';

export const instanceRevokeKey = defineOperation('POST', 'instance.revokeKey', {
  summary: 'Permanently revokes an API key of an account, everywhere within a second.',
  access: 'instance',
  request: z.object({
    key_id: requiredText('Identifier of the key.'),
    account_id: optional(z.string()).meta({ description: 'Id or e-mail address of its account; any if omitted.' }),
  }),
  response: z.object({ key_id: z.string(), revoked: z.literal(true) }),
  async handle({ key_id, account_id }, context) {
    const { now, principal, read, write } = context;
    if (!isId(key_id)) throw new Fault('not_found', 'API key not found');
    const accountId =
      account_id === undefined ? await read(findAccountOfKey, key_id) : (await readManaged(account_id, context)).accountId;
    if (accountId === null) throw new Fault('not_found', 'API key not found');
    const { keyId } = await write(revokeApiKey, { accountId, keyId: key_id, now, actor: actorOf(principal) });
    return { key_id: keyId, revoked: true as const };
  },
});
