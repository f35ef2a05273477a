import { z } from 'zod';
import { requiredText } from '../api/contract/fields.ts';
import { registerWebhook } from '../api/webhooks/webhook-registration.ts';
import { defineLegacy } from './legacy-operation.ts';

export const webhookCreate = defineLegacy('POST', '/v1/webhooks', {
  summary: 'Registers a webhook for task events, including progress.',
  access: 'account',
  request: z.object({ webhook: z.object({ url: requiredText('HTTPS URL that accepts POST requests.') }) }),
  renameField: (field) => `webhook.${field}`,
  response: z.object({ webhook_id: z.string() }),
  async handle({ webhook: { url } }, context) {
    const { id } = await registerWebhook({ url, apiVersion: 'v1', oauthClientId: null }, context);
    return { webhook_id: id };
  },
});
