import { z } from 'zod';
import { rotateWebhookSecret } from '../../store/webhooks/webhooks.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebhook, webhookId } from './webhook-id.ts';
import { presentSecretWebhook, secretWebhookObject } from './webhook-object.ts';

export const webhookRotateSecret = defineOperation('POST', 'webhook.rotateSecret', {
  summary: "Replaces a webhook's secret and shows the new one once. The previous secret stays valid for a week.",
  details: 'Rotating again ends the previous secret at once. A webhook without a secret gets its first one.',
  access: 'account',
  request: z.object({ webhook_id: webhookId }),
  response: z.object({ webhook: secretWebhookObject }),
  async handle({ webhook_id: id }, context) {
    const key = keyOfWebhook(id, context);
    const sealedSecret = context.webhooks.createSecret(id);
    const webhook = await context.write(rotateWebhookSecret, { ...key, sealedSecret });
    return { webhook: presentSecretWebhook(webhook, context.webhooks) };
  },
});
