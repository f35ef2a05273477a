import { Fault } from '@errand/base/fault.ts';
import {
  deleteSome,
  type StoreOperation,
  padToPowerOfTwo,
  placeholders,
  type Row,
  selectAll,
  selectFirst,
  sql,
  type SqlValue,
  findRow,
  lockRow,
} from '../db/store-operation.ts';
import { isSent, type WebhookKey, webhookNotFound, webhookRow } from './webhooks.ts';
import { computedCodec, integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** Retention of ended deliveries. */
const deliveryTtlMs = 14 * 24 * 60 * 60 * 1000;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
/** `skipped`: not attempted because the webhook was inactive, or is a listener that has not asked for it yet. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface AttemptRecord {
  atMs: number;
  /** Status of the response, null if there was none. */
  status: number | null;
  /** Why there was no response. */
  error: string | null;
  durationMs: number;
  /** The beginning of the response body. */
  excerpt: string;
}

/** One event for one webhook. */
export interface Delivery {
  id: string;
  webhookId: string;
  taskId: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  /** Number of attempts so far; `log` holds the last of them. */
  attempts: number;
  log: AttemptRecord[];
  /** Null if no further attempt follows. */
  nextAttemptAtMs: number | null;
  createdAtMs: number;
}

/** `deliveries` */
export const deliveryRow = tableCodec('deliveries', {
  account_id: text,
  id: text,
  webhook_id: text,
  task_id: text,
  event_id: text,
  event_type: text,
  body: text,
  status: oneOf<DeliveryStatus>(),
  ready_at: nullable(integer),
  fence: integer,
  attempts: integer,
  tries: integer,
  log: json<AttemptRecord[]>(),
  created_at: integer,
});

/** What a delivery has of its task. */
export const deliveryTask = computedCodec('the task of a delivery', { traceparent: nullable(text) });

/** What a delivery has of its task, as an expression for RETURNING; null if the task is gone. */
export const deliveryTaskColumns = `(SELECT t.traceparent FROM tasks t WHERE t.id = deliveries.task_id
  AND t.account_id = COALESCE(deliveries.task_account_id, deliveries.account_id)) AS traceparent`;
const { read: readDelivery, columns } = deliveryRow.pick(
  'id, webhook_id, task_id, event_id, event_type, status, attempts, log, ready_at as nextAttemptAtMs, created_at',
);

export interface ListDeliveriesArgs {
  accountId: string;
  webhookId: string | null;
  status: DeliveryStatus | null;
  /** Exclusive: returns deliveries older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of an account's deliveries, newest first. */
export const listDeliveries: StoreOperation<ListDeliveriesArgs, Delivery[]> = {
  name: 'deliveries.list',
  access: 'read',
  scans: ({ accountId, webhookId, status }) => (webhookId === null && status === null ? null : accountId),
  *run({ accountId, webhookId, status, beforeId, limit }) {
    const conditions = ['account_id = ?'];
    const params: SqlValue[] = [accountId];
    for (const [condition, value] of [
      ['id < ?', beforeId],
      ['webhook_id = ?', webhookId],
      ['status = ?', status],
    ] as const) {
      if (value === null) continue;
      conditions.push(condition);
      params.push(value);
    }
    const statement = `SELECT ${columns} FROM deliveries WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`;
    return (yield* selectAll(statement, ...params, limit)).map(readDelivery);
  },
};

/** One delivery with its body. */
export const getDelivery: StoreOperation<{ accountId: string; deliveryId: string }, Delivery & { body: string }> = {
  name: 'deliveries.get',
  access: 'read',
  *run({ accountId, deliveryId }) {
    const row = yield* findRow(`${columns}, body`, 'deliveries', { account_id: accountId, id: deliveryId });
    if (!row) throw new Fault('not_found', 'delivery not found');
    return { ...readDelivery(row), body: deliveryRow.body(row) };
  },
};

const sendAgain = `UPDATE deliveries SET status = 'pending', ready_at = errand_now(), ended_at = NULL, tries = 0, fence = fence + 1`;

/** Throws unless the webhooks exist and are active. */
function checkActive(row: Row | undefined): void {
  if (!row) throw webhookNotFound();
  if (webhookRow.status(row) !== 'active') throw new Fault('failed_precondition', 'The webhook is inactive; enable it first.');
}

/** Resends a delivery at once, with the whole schedule again if that fails. Returns the number resent: 1. */
export const resendDelivery: StoreOperation<{ accountId: string; deliveryId: string }, number> = {
  name: 'deliveries.resend',
  access: 'write',
  keys: ({ deliveryId }) => [deliveryId],
  *run({ accountId, deliveryId }) {
    const delivery = yield* lockRow('webhook_id', 'deliveries', { account_id: accountId, id: deliveryId });
    if (!delivery) throw new Fault('not_found', 'delivery not found');
    checkActive(
      yield* selectFirst(
        `SELECT status FROM webhooks WHERE account_id = ? AND id = ? AND ${isSent}`,
        accountId,
        deliveryRow.webhook_id(delivery),
      ),
    );
    // A delivery that is being sent right now is left to its worker.
    yield* selectAll(`${sendAgain} WHERE account_id = ? AND id = ? AND lease_owner IS NULL RETURNING id`, accountId, deliveryId);
    return 1;
  },
  announce: () => [{ topic: 'deliveries' }],
};

/** Resends what a webhook has missed (failed permanently or skipped), at most `limit` at once; returns their number. */
export const resendMissed: StoreOperation<WebhookKey & { limit: number }, number> = {
  name: 'deliveries.resendMissed',
  access: 'exclusive',
  *run({ accountId, webhookId, limit }) {
    const status = `SELECT status FROM webhooks WHERE account_id = ? AND id = ? AND ${isSent}`;
    checkActive(yield* selectFirst(status, accountId, webhookId));
    const missed = yield* selectAll(
      `SELECT id FROM deliveries WHERE account_id = ? AND webhook_id = ? AND status IN ('failed', 'skipped')
       LIMIT ? FOR UPDATE SKIP LOCKED`,
      accountId,
      webhookId,
      limit,
    );
    if (missed.length === 0) return 0;
    const padded = padToPowerOfTwo(missed);
    yield [
      sql(
        `${sendAgain} WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
        ...padded.flatMap((row) => [accountId, deliveryRow.id(row)]),
      ),
    ];
    return missed.length;
  },
  announce: () => [{ topic: 'deliveries' }],
};

/** Deletes deliveries that ended long ago, at most `limit` at once; returns their number. */
export const deleteExpiredDeliveries: StoreOperation<{ limit: number }, number> = {
  name: 'deliveries.deleteExpired',
  access: 'exclusive',
  *run({ limit }) {
    const from = { table: 'deliveries', key: 'account_id, id', where: 'ended_at <= errand_now() - ?', limit };
    return yield* deleteSome(from, deliveryTtlMs);
  },
};
