import { z } from 'zod';
import { enableWebhook } from '../../store/webhooks/webhooks.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebhook, webhookId } from './webhook-id.ts';
import { presentWebhook, webhookObject } from './webhook-object.ts';

export const webhookEnable = defineOperation('POST', 'webhook.enable', {
  summary: 'Reactivates an inactive webhook. Use webhook.resend to send the events it missed.',
  access: 'own',
  request: z.object({ webhook_id: webhookId }),
  response: z.object({ webhook: webhookObject }),
  async handle({ webhook_id: id }, context) {
    return { webhook: presentWebhook(await context.write(enableWebhook, keyOfWebhook(id, context))) };
  },
});
