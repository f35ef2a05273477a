import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { revokeInstanceKey } from '../../store/instance/instance-keys.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const operatorRevokeKey = defineOperation('POST', 'operator.revokeKey', {
  summary: 'Permanently revokes a key that administers the instance, everywhere within a second.',
  access: 'operator',
  request: z.object({ key_id: requiredText('Identifier of the key.') }),
  response: z.object({ key_id: z.string(), revoked: z.literal(true) }),
  async handle({ key_id }, { now, write }) {
    if (!isId(key_id)) throw new Fault('not_found', 'instance key not found');
    const { keyId } = await write(revokeInstanceKey, { keyId: key_id, now });
    return { key_id: keyId, revoked: true as const };
  },
});
