/**
 * The queue of deliveries.
 *
 * A delivery's row is its own queue entry. A claim owns it until `ready_at` by the database's clock, which is longer than an attempt can
 * take, and the outcome of the attempt is stored only with the fence of that claim. A worker that was paused or declared dead sends a
 * message twice at worst; it never overwrites what another has recorded.
 *
 * Each webhook is its own queue: a claim takes a share from every queue with due deliveries, up to the limit that the worker has set for
 * that queue, so a slow or hostile receiver delays only itself.
 */
import type { AccountStatus } from '../../rules/accounts/account-status.ts';
import { shareSlots, usualWeight } from '../../rules/instance/fair-share.ts';
import { type AttemptRecord, deliveryRow, deliveryTask, deliveryTaskColumns } from './delivery-log.ts';
import {
  type StoreOperation,
  padToPowerOfTwo,
  placeholders,
  type Row,
  type Script,
  selectAll,
  sql,
} from '../db/store-operation.ts';
import { computedCodec, integer, nullable, oneOf, text } from '../db/row-codec.ts';

/** Limits of one claim: queues considered and deliveries skipped. The next claim continues after them. */
const perClaim = { queues: 256, skips: 1024 };

export interface ClaimDeliveriesArgs {
  workerId: string;
  leaseMs: number;
  slots: number;
  /** Queues known to this worker: how many deliveries it holds of each, and how many it may hold at once. */
  queues: readonly (readonly [webhookId: string, held: number, limit: number])[];
  /** The limit of any other queue. */
  usualLimit: number;
  /** Where the last claim ended; '' starts over. */
  afterWebhook: string;
}

export interface ClaimedDelivery {
  accountId: string;
  id: string;
  fence: number;
  webhookId: string;
  url: string;
  /** The valid secrets of the webhook, newest first. */
  sealedSecrets: string[];
  taskId: string;
  /** The span that created the task; null if none did, or the task is deleted. */
  traceparent: string | null;
  eventId: string;
  body: string;
  /** Attempts in the current run through the schedule. */
  tries: number;
  log: AttemptRecord[];
}

export interface ClaimDeliveriesResult {
  deliveries: ClaimedDelivery[];
  /** Whether another claim may find more at once. */
  hasMore: boolean;
  /** Webhooks with more due deliveries than were claimed. */
  heldBack: string[];
  /** Milliseconds until the next delivery becomes due in these queues; null for none. */
  nextInMs: number | null;
  /** '' if all queues have been considered. */
  afterWebhook: string;
}

/** A queue; its webhook's columns are null once that is deleted. */
const queueRow = computedCodec('deliveries.claim', {
  webhook_id: text,
  url: nullable(text),
  status: nullable(oneOf<'active' | 'inactive'>()),
  owner_status: nullable(oneOf<AccountStatus>()),
  secret: nullable(text),
  previous_secret: nullable(text),
  due_at: nullable(integer),
  next_ms: nullable(integer),
});

const claimed = deliveryRow.pick('account_id, id, fence, webhook_id, task_id, event_id, body, tries, log');

/** Whether its account is disabled: what is due waits until it is enabled. */
function isAtRest(queue: Row): boolean {
  const status = queueRow.owner_status(queue);
  return status !== null && status !== 'active';
}

function idsOf(queues: readonly Row[]): string[] {
  return queues.map(queueRow.webhook_id);
}

/** Queues with anything to send, now or later, found by stepping from one to the next in the index. */
function* findQueues(afterWebhook: string): Script<Row[]> {
  return yield* selectAll(
    `WITH RECURSIVE queues (webhook_id) AS (
       SELECT (SELECT MIN(webhook_id) FROM deliveries WHERE webhook_id > ? AND ready_at IS NOT NULL)
       UNION ALL
       SELECT (SELECT MIN(d.webhook_id) FROM deliveries d WHERE d.webhook_id > queues.webhook_id AND d.ready_at IS NOT NULL)
       FROM queues WHERE queues.webhook_id IS NOT NULL
     )
     SELECT q.webhook_id, w.url, w.status, w.secret, a.status AS owner_status,
       CASE WHEN w.previous_secret_until > errand_now() THEN w.previous_secret END AS previous_secret,
       (SELECT MIN(d.ready_at) FROM deliveries d WHERE d.webhook_id = q.webhook_id AND d.ready_at <= errand_now()) AS due_at,
       (SELECT MIN(d.ready_at) FROM deliveries d WHERE d.webhook_id = q.webhook_id AND d.ready_at > errand_now()) - errand_now() AS next_ms
     FROM queues q LEFT JOIN webhooks w ON w.id = q.webhook_id
     LEFT JOIN accounts a ON a.account_id = w.account_id WHERE q.webhook_id IS NOT NULL LIMIT ?`,
    afterWebhook,
    perClaim.queues,
  );
}

interface Share {
  webhookId: string;
  count: number;
  /** What is left of the queue's limit; `count` is lower if others need the slots. */
  available: number;
}

/** How many to claim from each queue with due deliveries. */
function planShares(dueIds: readonly string[], { queues, usualLimit, slots }: ClaimDeliveriesArgs): Share[] {
  const frames = new Map(queues.map(([webhookId, held, limit]) => [webhookId, limit - held]));
  const budgetOf = (webhookId: string) => frames.get(webhookId) ?? usualLimit;
  const held = new Map(queues.map(([webhookId, count]) => [webhookId, count]));
  const open = dueIds.filter((webhookId) => budgetOf(webhookId) > 0);
  const sharers = open.map((id) => {
    const has = held.get(id) ?? 0;
    return { id, held: has, weight: usualWeight, most: has + budgetOf(id) };
  });
  return [...shareSlots(sharers, slots)].map(([webhookId, count]) => ({ webhookId, count, available: budgetOf(webhookId) }));
}

function* lockDue(shares: readonly Pick<Share, 'webhookId' | 'count'>[]): Script<readonly Row[][]> {
  if (shares.length === 0) return [];
  return yield shares.map(({ webhookId, count }) =>
    sql(
      `SELECT account_id, id FROM deliveries WHERE webhook_id = ? AND ready_at <= errand_now()
       ORDER BY ready_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      webhookId,
      count,
    ),
  );
}

/** Deletes pending deliveries of deleted webhooks; returns whether there may be more. */
function* dropPending(webhookIds: readonly string[]): Script<boolean> {
  if (webhookIds.length === 0) return false;
  const count = Math.ceil(perClaim.skips / webhookIds.length);
  const found = yield webhookIds.map((webhookId) =>
    sql(
      'SELECT account_id, id FROM deliveries WHERE webhook_id = ? AND ready_at IS NOT NULL LIMIT ? FOR UPDATE SKIP LOCKED',
      webhookId,
      count,
    ),
  );
  const padded = padToPowerOfTwo(found.flat());
  if (padded.length === 0) return false;
  yield [
    sql(
      `DELETE FROM deliveries WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
      ...padded.flatMap((row) => [deliveryRow.account_id(row), deliveryRow.id(row)]),
    ),
  ];
  return found.some((rows) => rows.length === count);
}

/** Skips due deliveries of inactive webhooks; returns whether there may be more. */
function* skipDue(webhookIds: readonly string[]): Script<boolean> {
  const count = Math.floor(perClaim.skips / Math.max(1, webhookIds.length));
  const found = yield* lockDue(webhookIds.map((webhookId) => ({ webhookId, count })));
  const padded = padToPowerOfTwo(found.flat());
  if (padded.length === 0) return false;
  yield [
    sql(
      `UPDATE deliveries SET status = 'skipped', ready_at = NULL, lease_owner = NULL, fence = fence + 1, ended_at = errand_now()
       WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
      ...padded.flatMap((row) => [deliveryRow.account_id(row), deliveryRow.id(row)]),
    ),
  ];
  return found.some((rows) => rows.length === count);
}

function* takeLeases(rows: readonly Row[], { workerId, leaseMs }: ClaimDeliveriesArgs): Script<Row[]> {
  if (rows.length === 0) return [];
  const padded = padToPowerOfTwo(rows);
  return yield* selectAll(
    `UPDATE deliveries SET lease_owner = ?, ready_at = errand_now() + ?, fence = fence + 1
     WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)}) RETURNING ${claimed.columns}, ${deliveryTaskColumns}`,
    workerId,
    leaseMs,
    ...padded.flatMap((row) => [deliveryRow.account_id(row), deliveryRow.id(row)]),
  );
}

type Receiver = Pick<ClaimedDelivery, 'url' | 'sealedSecrets'>;

function readReceiver(queue: Row): Receiver {
  const secrets = [queueRow.secret(queue), queueRow.previous_secret(queue)];
  return { url: queueRow.url(queue) ?? '', sealedSecrets: secrets.filter((secret) => secret !== null) };
}

function readClaimed(row: Row, receivers: ReadonlyMap<string, Receiver>): ClaimedDelivery {
  const delivery = { ...claimed.read(row), ...deliveryTask.read(row) };
  return { ...delivery, ...(receivers.get(delivery.webhookId) ?? { url: '', sealedSecrets: [] }) };
}

/** Claims up to `slots` due deliveries, spread evenly over the webhooks that have some. */
export const claimDeliveries: StoreOperation<ClaimDeliveriesArgs, ClaimDeliveriesResult> = {
  name: 'deliveries.claim',
  access: 'exclusive',
  *run(args) {
    const queues = yield* findQueues(args.afterWebhook);
    const afterWebhook = queues.length === perClaim.queues ? (idsOf(queues).at(-1) ?? '') : '';
    const waits = queues.flatMap((queue) => queueRow.next_ms(queue) ?? []);
    const nextInMs = waits.length > 0 ? Math.min(...waits) : null;
    const hasGonePending = yield* dropPending(idsOf(queues.filter((queue) => queueRow.status(queue) === null)));
    const due = queues.filter((queue) => queueRow.due_at(queue) !== null && queueRow.status(queue) !== null && !isAtRest(queue));
    const live = due.filter((queue) => queueRow.status(queue) === 'active');
    const idle = due.filter((queue) => queueRow.status(queue) !== 'active');
    const hasIdleDue = yield* skipDue(idsOf(idle));
    const liveIds = idsOf(live);
    const shares = planShares(liveIds, args);
    const found = yield* lockDue(shares);
    const full = shares.filter(({ count }, index) => found[index]?.length === count);
    const served = new Set(shares.filter((share) => !full.includes(share)).map(({ webhookId }) => webhookId));
    const taken = yield* takeLeases(found.flat(), args);
    const receivers = new Map(live.map((queue) => [queueRow.webhook_id(queue), readReceiver(queue)]));
    return {
      deliveries: taken.map((row) => readClaimed(row, receivers)),
      hasMore: afterWebhook !== '' || hasGonePending || hasIdleDue || full.some(({ count, available }) => count < available),
      heldBack: liveIds.filter((webhookId) => !served.has(webhookId)),
      nextInMs,
      afterWebhook,
    };
  },
};
