import { z } from 'zod';
import { deleteWebhook } from '../../store/webhooks/webhooks.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebhook, webhookId } from './webhook-id.ts';

export const webhookDelete = defineOperation('POST', 'webhook.delete', {
  summary: 'Deletes a webhook; it receives nothing more.',
  access: 'account',
  request: z.object({ webhook_id: webhookId }),
  response: z.object({}),
  async handle({ webhook_id: id }, context) {
    await context.write(deleteWebhook, keyOfWebhook(id, context));
    return {};
  },
});
