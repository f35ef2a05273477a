import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { revokeApiKey } from '../../store/accounts/api-keys.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const keyRevoke = defineOperation('POST', 'key.revoke', {
  summary: 'Permanently revokes an API key, everywhere within a second.',
  access: 'own',
  request: z.object({ key_id: requiredText('Identifier of the key.') }),
  response: z.object({ key_id: z.string(), revoked: z.literal(true) }),
  async handle({ key_id }, { principal, now, write }) {
    if (!isId(key_id)) throw new Fault('not_found', 'API key not found');
    const { keyId } = await write(revokeApiKey, {
      accountId: principal.accountId,
      keyId: key_id,
      now,
      actor: actorOf(principal),
    });
    return { key_id: keyId, revoked: true as const };
  },
});
