import { claimDeliveries } from './delivery-claims.ts';
import { deleteExpiredDeliveries, getDelivery, listDeliveries, resendDelivery, resendMissed } from './delivery-log.ts';
import { listFailedDeliveries } from './failed-deliveries.ts';
import { createListener, deleteExpiredListeners, listKept, markPulled, markReceived } from './listeners.ts';
import { expireDeliveryLeases, recordOutcomes } from './delivery-outcomes.ts';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  listSignedWebhooks,
  listWebhooks,
  rotateWebhookSecret,
} from './webhooks.ts';

/** Every operation on webhooks and their deliveries. */
export const webhookOperations = [
  createWebhook,
  deleteWebhook,
  enableWebhook,
  listWebhooks,
  listSignedWebhooks,
  rotateWebhookSecret,
  createListener,
  listKept,
  markPulled,
  markReceived,
  deleteExpiredListeners,
  claimDeliveries,
  expireDeliveryLeases,
  recordOutcomes,
  deleteExpiredDeliveries,
  getDelivery,
  listDeliveries,
  listFailedDeliveries,
  resendDelivery,
  resendMissed,
];
