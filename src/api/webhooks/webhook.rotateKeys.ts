import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';
import { presentPublicKeys, publicKeyFields } from './webhook-object.ts';

export const webhookRotateKeys = defineOperation('POST', 'webhook.rotateKeys', {
  summary: 'Rotates the webhook signing keys. The previous keys stay valid for a week.',
  access: 'operator',
  request: z.object({}),
  response: z.object(publicKeyFields),
  async handle(_, { webhooks }) {
    return presentPublicKeys(await webhooks.rotateKeys());
  },
});
