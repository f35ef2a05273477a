import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';
import { presentPublicKeys, publicKeyFields } from './webhook-object.ts';

export const webhookPublicKey = defineOperation('GET', 'webhook.publicKey', {
  summary: 'Returns the public keys for verifying webhook requests.',
  access: 'account',
  request: z.object({}),
  response: z.object(publicKeyFields),
  async handle(_, { webhooks }) {
    return presentPublicKeys(await webhooks.publicKeys());
  },
});
