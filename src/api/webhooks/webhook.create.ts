import { z } from 'zod';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentSecretWebhook, secretWebhookObject } from './webhook-object.ts';
import { registerWebhook } from './webhook-registration.ts';

export const webhookCreate = defineOperation('POST', 'webhook.create', {
  summary: 'Registers a URL for task events, after it has answered a signed test message with 2xx.',
  access: 'account',
  request: z.object({
    url: requiredText('HTTPS URL that accepts POST requests.'),
    oauth_client_id: optional(z.string()).meta({
      description: 'One of your applications: limits the webhook to tasks it creates, for any user.',
    }),
  }),
  response: z.object({ webhook: secretWebhookObject }),
  async handle({ url, oauth_client_id: clientId }, context) {
    const webhook = await registerWebhook({ url, apiVersion: 'v2', oauthClientId: clientId || null }, context);
    return { webhook: presentSecretWebhook(webhook, context.webhooks) };
  },
});
