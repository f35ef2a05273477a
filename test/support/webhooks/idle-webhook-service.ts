import type { WebhookService } from '../../../src/api/contract/services/webhook-service.ts';

/** A service for tests without deliveries: every URL passes its test, and secrets are not encrypted. */
export const idleWebhookService: WebhookService = {
  probe: () => Promise.resolve(null),
  sendOnce: () => Promise.resolve({ status: 204, error: null, durationMs: 0 }),
  sign: () => Promise.resolve({}),
  createSecret: (webhookId) => `whsec_${webhookId}`,
  openSecret: (_, sealed) => sealed,
  publicKeys: () => Promise.resolve([]),
  rotateKeys: () => Promise.resolve([]),
  resendMissed: () => Promise.resolve(0),
};
