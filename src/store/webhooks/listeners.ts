import { Fault } from '@errand/base/fault.ts';
import {
  deleteSome,
  lockAccount,
  padToPowerOfTwo,
  placeholders,
  selectAll,
  type Script,
  selectFirst,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { computedCodec, flag } from '../db/row-codec.ts';
import { deliveryRow } from './delivery-log.ts';
import { type WebhookKey, webhookNotFound, webhookRow } from './webhooks.ts';

/** Maximum number of listeners per account at a time (docs/reference/choices.md#webhooks). */
export const maxListeners = 5;
/** How long a listener lasts. */
export const listenerTtlMs = 24 * 60 * 60 * 1000;
/** A listener that has not polled for this long gives way to a new one if there are too many. */
export const listenerIdleMs = 10 * 60 * 1000;
/** What a listener keeps; of events beyond that, only their ids are kept. */
export const maxKept = { events: 1000, bytes: 8_000_000 };

const idleRow = computedCodec('a listener', { is_idle: flag });
/** How precisely it is known when a listener last asked. */
const pulledPrecisionMs = 60_000;

/** Whether `webhook` (an alias of `webhooks`) is a listener that can keep no more, as 0 or 1. */
export function isFull(webhook: string): string {
  return `CASE WHEN ${webhook}.status <> 'listening' THEN 0 ELSE (
    SELECT CASE WHEN COUNT(*) >= ${maxKept.events} OR SUM(kept.bytes) >= ${maxKept.bytes} THEN 1 ELSE 0 END
    FROM (SELECT octet_length(d.body) AS bytes FROM deliveries d
      WHERE d.account_id = ${webhook}.account_id AND d.webhook_id = ${webhook}.id AND d.status IN ('failed', 'skipped')
      LIMIT ${maxKept.events}) AS kept) END`;
}

export interface CreateListenerArgs extends WebhookKey {
  url: string;
  sealedSecret: string;
}

/** Ends the listener that has been silent for the longest time if an account has too many. */
function* endOldest(accountId: string): Script<void> {
  const others = yield* selectAll(
    `SELECT id, CASE WHEN pulled_at <= errand_now() - ? THEN 1 ELSE 0 END AS is_idle FROM webhooks
     WHERE account_id = ? AND status = 'listening' AND created_at > errand_now() - ? ORDER BY pulled_at`,
    listenerIdleMs,
    accountId,
    listenerTtlMs,
  );
  if (others.length < maxListeners) return;
  const [oldest] = others;
  if (!oldest || !idleRow.is_idle(oldest)) {
    throw new Fault('resource_exhausted', `An account can have ${maxListeners} listeners; end one that is no longer used.`);
  }
  yield [sql('DELETE FROM webhooks WHERE account_id = ? AND id = ?', accountId, webhookRow.id(oldest))];
}

/** Stores a listener: a webhook whose events are not sent but kept until they are pulled. Returns when it ends. */
export const createListener: StoreOperation<CreateListenerArgs, number> = {
  name: 'listeners.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, webhookId, url, sealedSecret }) {
    yield* lockAccount(accountId);
    yield* endOldest(accountId);
    const created = yield* selectFirst(
      `INSERT INTO webhooks (account_id, id, url, face, status, created_at, secret, pulled_at)
       VALUES (?, ?, ?, 'v2', 'listening', errand_now(), ?, errand_now()) RETURNING created_at`,
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
  /** Null if it was not kept, because too many others waited. */
  body: string | null;
}

export interface Kept {
  url: string;
  sealedSecrets: string[];
  events: KeptEvent[];
  /** Whether it is to be noted that somebody has asked (`markPulled`). */
  isUnnoted: boolean;
}

/** What a listener has not received yet, oldest first, and what signs it. Throws if the listener has ended. */
export const listKept: StoreOperation<WebhookKey & { limit: number }, Kept> = {
  name: 'listeners.listKept',
  access: 'read',
  *run({ accountId, webhookId, limit }) {
    const listener = yield* selectFirst(
      `SELECT url, secret, CASE WHEN pulled_at <= errand_now() - ? THEN 1 ELSE 0 END AS is_idle FROM webhooks
       WHERE account_id = ? AND id = ? AND status = 'listening' AND created_at > errand_now() - ?`,
      pulledPrecisionMs,
      accountId,
      webhookId,
      listenerTtlMs,
    );
    if (!listener) throw webhookNotFound();
    const secret = webhookRow.secret(listener);
    const rows = yield* selectAll(
      `SELECT id, event_id, event_type, body, status FROM deliveries
       WHERE account_id = ? AND webhook_id = ? AND status IN ('failed', 'skipped') ORDER BY id LIMIT ?`,
      accountId,
      webhookId,
      limit,
    );
    const events = rows.map((row) => ({
      id: deliveryRow.id(row),
      eventId: deliveryRow.event_id(row),
      eventType: deliveryRow.event_type(row),
      body: deliveryRow.status(row) === 'failed' ? null : deliveryRow.body(row),
    }));
    const sealedSecrets = secret === null ? [] : [secret];
    return { url: webhookRow.url(listener), sealedSecrets, events, isUnnoted: idleRow.is_idle(listener) };
  },
};

/** Notes that a listener has asked for its events, so that no other takes its place. */
export const markPulled: StoreOperation<WebhookKey, null> = {
  name: 'listeners.markPulled',
  access: 'write',
  keys: ({ webhookId }) => [webhookId],
  *run({ accountId, webhookId }) {
    const mark = `UPDATE webhooks SET pulled_at = errand_now() WHERE account_id = ? AND id = ? AND status = 'listening'`;
    yield [sql(mark, accountId, webhookId)];
    return null;
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
        `UPDATE deliveries SET status = 'delivered' WHERE webhook_id = ? AND status IN ('failed', 'skipped')
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
