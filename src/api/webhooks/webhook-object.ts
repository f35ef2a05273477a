import { z } from 'zod';
import type { PublicSigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { SecretWebhook, Webhook } from '../../store/webhooks/webhooks.ts';
import type { WebhookService } from '../contract/services/webhook-service.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A webhook (docs/reference/wire-format.md#webhooks). */
export const webhookObject = z
  .object({
    id: z.string(),
    url: z.string(),
    status: z
      .enum(['active', 'inactive'])
      .meta({ description: 'A webhook becomes inactive after failing for five days or answering 410.' }),
    created_at: unixTime,
    oauth_client_id: z.string().optional().meta({ description: 'The application whose tasks it is limited to.' }),
  })
  .meta({ id: 'Webhook' });

export function presentWebhook({ id, url, status, createdAtMs, oauthClientId }: Webhook): z.input<typeof webhookObject> {
  const created = { id, url, status, created_at: toUnixTime(createdAtMs) };
  return oauthClientId === null ? created : { ...created, oauth_client_id: oauthClientId };
}

/** A webhook in the one response that shows its secret. */
export const secretWebhookObject = webhookObject
  .extend({
    secret: z.string().meta({ description: '`whsec_` and Base64: verifies `v1` of `webhook-signature`. It is not shown again.' }),
  })
  .meta({ id: 'WebhookWithSecret' });

export function presentSecretWebhook(webhook: SecretWebhook, webhooks: WebhookService): z.input<typeof secretWebhookObject> {
  return { ...presentWebhook(webhook), secret: webhooks.openSecret(webhook.id, webhook.sealedSecret) };
}

const keyFields = {
  public_key: z.string().meta({ description: 'RSA-2048, PEM.' }),
  standard_webhooks_public_key: z.string().meta({ description: 'ed25519, as `whpk_` and Base64.' }),
};

/** The keys that verify deliveries. */
export const publicKeyFields = {
  ...keyFields,
  algorithm: z.literal('RSA-SHA256'),
  previous_keys: z
    .array(z.object(keyFields))
    .optional()
    .meta({ description: 'The previous keys, valid and present for a week after rotation.' }),
};

function presentKey({ rsaPem, standard }: PublicSigningKey) {
  return { public_key: rsaPem, standard_webhooks_public_key: standard };
}

/** @param keys newest first, at least one */
export function presentPublicKeys(keys: readonly PublicSigningKey[]) {
  const [newest, ...previous] = keys.map(presentKey);
  if (!newest) throw new Error('there is no signing key');
  return { ...newest, algorithm: 'RSA-SHA256' as const, ...(previous.length > 0 && { previous_keys: previous }) };
}
