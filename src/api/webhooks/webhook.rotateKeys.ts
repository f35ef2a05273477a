import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';
import { presentPublicKeys, publicKeyFields } from './webhook-object.ts';

export const webhookRotateKeys = defineOperation({
  name: 'webhook.rotateKeys',
  method: 'POST',
  summary: 'Rotates the webhook signing keys. The previous keys stay valid for a week.',
  access: 'operator',
  request: z.object({}),
  response: z.object(publicKeyFields),
  async handle(_, { webhooks }) {
    return presentPublicKeys(await webhooks.rotateKeys());
  },
});
