import { z } from 'zod';
import { requiredText } from '../api/contract/fields.ts';
import { keyOfWebhook, webhookId } from '../api/webhooks/webhook-id.ts';
import { registerWebhook } from '../api/webhooks/webhook-registration.ts';
import { deleteWebhook } from '../store/webhooks/webhooks.ts';
import { defineLegacy, type LegacyOperation } from './legacy-operation.ts';

const webhookCreate = defineLegacy('POST', '/v1/webhooks', {
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

const webhookDelete = defineLegacy('DELETE', '/v1/webhooks/:webhook_id', {
  summary: 'Deletes a webhook; it receives nothing more.',
  access: 'account',
  request: z.object({ webhook_id: webhookId }),
  response: null,
  async handle({ webhook_id: id }, context) {
    await context.write(deleteWebhook, keyOfWebhook(id, context));
    return null;
  },
});

const webhookPublicKey = defineLegacy('GET', '/v1/webhook/public_key', {
  summary: 'Returns the public key for verifying webhook requests; needs no credential.',
  access: 'visitor',
  request: z.object({}),
  response: z.object({ public_key: z.string(), algorithm: z.literal('RSA-SHA256'), created_at: z.iso.datetime() }),
  async handle(_, { webhooks }) {
    const [newest] = await webhooks.publicKeys();
    if (!newest) throw new Error('there is no signing key');
    const { rsaPem, createdAtMs } = newest;
    return { public_key: rsaPem, algorithm: 'RSA-SHA256' as const, created_at: new Date(createdAtMs).toISOString() };
  },
});

export const legacyWebhookOperations: LegacyOperation[] = [webhookCreate, webhookDelete, webhookPublicKey];
