import { Fault } from '@errand/base/fault.ts';
import {
  deleteSome,
  lockAccount,
  padToPowerOfTwo,
  placeholders,
  selectAll,
  selectFirst,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { deliveryRow } from './delivery-log.ts';
import { type WebhookKey, webhookNotFound, webhookRow } from './webhooks.ts';

/** Maximum number of listeners per account at a time (docs/reference/choices.md#webhooks). */
export const maxListeners = 5;
/** How long a listener lasts. */
export const listenerTtlMs = 24 * 60 * 60 * 1000;

export interface CreateListenerArgs extends WebhookKey {
  url: string;
  sealedSecret: string;
}

/** Stores a listener: a webhook whose events are not sent but kept until they are pulled. Returns when it ends. */
export const createListener: StoreOperation<CreateListenerArgs, number> = {
  name: 'listeners.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId, url, sealedSecret }) {
    yield* lockAccount(accountId);
    const others = yield* selectAll(
      `SELECT id FROM webhooks WHERE account_id = ? AND status = 'listening' AND created_at > errand_now() - ?`,
      accountId,
      listenerTtlMs,
    );
    if (others.length >= maxListeners) {
      throw new Fault('resource_exhausted', `An account can have ${maxListeners} listeners; end one that is no longer used.`);
    }
    const created = yield* selectFirst(
      `INSERT INTO webhooks (account_id, id, url, face, status, created_at, secret)
       VALUES (?, ?, ?, 'v2', 'listening', errand_now(), ?) RETURNING created_at`,
      accountId,
      webhookId,
      url,
      sealedSecret,
    );
    if (!created) throw new Error('the listener was not stored');
    return webhookRow.created_at(created) + listenerTtlMs;
  },
};

/** An event that a listener has not received yet. */
export interface KeptEvent {
  id: string;
  eventId: string;
  eventType: string;
  body: string;
}

/** What a listener has not received yet, oldest first, and what signs it. Throws if the listener has ended. */
export const listKept: StoreOperation<
  WebhookKey & { limit: number },
  { url: string; sealedSecrets: string[]; events: KeptEvent[] }
> = {
  name: 'listeners.listKept',
  access: 'read',
  *run({ accountId, webhookId, limit }) {
    const listener = yield* selectFirst(
      `SELECT url, secret FROM webhooks
       WHERE account_id = ? AND id = ? AND status = 'listening' AND created_at > errand_now() - ?`,
      accountId,
      webhookId,
      listenerTtlMs,
    );
    if (!listener) throw webhookNotFound();
    const secret = webhookRow.secret(listener);
    const rows = yield* selectAll(
      `SELECT id, event_id, event_type, body FROM deliveries
       WHERE account_id = ? AND webhook_id = ? AND status IN ('failed', 'skipped') ORDER BY id LIMIT ?`,
      accountId,
      webhookId,
      limit,
    );
    const events = rows.map((row) => ({
      id: deliveryRow.id(row),
      eventId: deliveryRow.event_id(row),
      eventType: deliveryRow.event_type(row),
      body: deliveryRow.body(row),
    }));
    return { url: webhookRow.url(listener), sealedSecrets: secret === null ? [] : [secret], events };
  },
};

/** Notes that a listener has received events, so that they are not returned again. */
export const markReceived: StoreOperation<WebhookKey & { deliveryIds: readonly string[] }, null> = {
  name: 'listeners.markReceived',
  access: 'write',
  keys: ({ webhookId }) => [webhookId],
  *run({ accountId, webhookId, deliveryIds }) {
    if (deliveryIds.length === 0) return null;
    const padded = padToPowerOfTwo(deliveryIds);
    yield [
      sql(
        `UPDATE deliveries SET status = 'delivered' WHERE webhook_id = ? AND status = 'skipped'
         AND webhook_id IN (SELECT id FROM webhooks WHERE account_id = ? AND status = 'listening')
         AND (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
        webhookId,
        accountId,
        ...padded.flatMap((id) => [accountId, id]),
      ),
    ];
    return null;
  },
};

/** Deletes listeners that were left behind, at most `limit` at once; returns their number. */
export const deleteExpiredListeners: StoreOperation<{ limit: number }, number> = {
  name: 'listeners.deleteExpired',
  access: 'exclusive',
  *run({ limit }) {
    const where = `status = 'listening' AND created_at <= errand_now() - ?`;
    return yield* deleteSome({ table: 'webhooks', key: 'account_id, id', where, limit }, listenerTtlMs);
  },
};
