import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { removePasskey } from '../../../store/accounts/passkeys/passkeys.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';

export const accountPasskeyRemove = defineOperation('POST', 'account.passkeyRemove', {
  summary: 'Removes a passkey: it signs nobody in any more. Sessions that it began stay.',
  access: 'browser',
  request: z.object({ passkey_id: requiredText('From account.passkeys.') }),
  response: z.object({ removed: z.literal(true) }),
  async handle({ passkey_id: id }, { principal, now, write }) {
    if (id.includes('\0')) throw new Fault('not_found', 'passkey not found');
    await write(removePasskey, { accountId: principal.accountId, id: id.toWellFormed(), actor: actorOf(principal), now });
    return { removed: true as const };
  },
});
