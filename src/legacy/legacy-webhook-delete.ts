import { z } from 'zod';
import { keyOfWebhook, webhookId } from '../api/webhooks/webhook-id.ts';
import { deleteWebhook } from '../store/webhooks/webhooks.ts';
import { defineLegacy } from './legacy-operation.ts';

export const webhookDelete = defineLegacy('DELETE', '/v1/webhooks/:webhook_id', {
  summary: 'Deletes a webhook; it receives nothing more.',
  access: 'account',
  request: z.object({ webhook_id: webhookId }),
  response: null,
  async handle({ webhook_id: id }, context) {
    await context.write(deleteWebhook, keyOfWebhook(id, context));
    return null;
  },
});
