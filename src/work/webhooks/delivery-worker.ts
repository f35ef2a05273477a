import { Batcher } from '@errand/base/load/batcher.ts';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { deliveriesKey } from '@errand/base/signals/hints.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { classifyAttempt, planDeliveryRetry, unbrokenFailureMs } from '../../rules/webhooks/retry-schedule.ts';
import type { Database } from '../../store/db/database.ts';
import { type ClaimedDelivery, claimDeliveries } from '../../store/webhooks/delivery-claims.ts';
import { type DeliveryOutcome, recordOutcomes } from '../../store/webhooks/delivery-outcomes.ts';
import { DeliveryLanes, usualLimit } from './delivery-lanes.ts';
import type { SigningKeys } from '../instance/signing-key-service.ts';
import type { SendResult, WebhookSender } from './webhook-sender.ts';

export interface DeliveryWorkerParts {
  database: Database;
  sender: WebhookSender;
  keys: Pick<SigningKeys, 'current'>;
  clock: Clock;
  log: Log;
  workerId: string;
  /** Random number from 0 to 1 that spreads retries. */
  chance(): number;
  /** How long a shutdown waits for running attempts. */
  drainMs: number;
}

/** Timeout of one attempt, including the response body (docs/reference/choices.md#webhooks). */
const attemptTimeoutMs = 15_000;
/** Longer than an attempt with its overhead. */
const leaseMs = 30_000;
/** Poll interval without hints. */
const pollMs = 1000;
/** Messages in flight to all receivers together. */
const concurrency = 256;
/** Number of attempts kept in the log of a delivery. */
const keptAttempts = 20;
const outcomesAtOnce = 128;

/** Claims due deliveries, sends each once, and records the outcome. */
export class DeliveryWorker extends Worker {
  readonly #parts: DeliveryWorkerParts;
  readonly #lanes = new DeliveryLanes();
  readonly #outcomes: Batcher<DeliveryOutcome, void>;
  #prepared: Promise<void> | undefined;
  /** Webhooks with due deliveries that wait for a slot of theirs, and whether all slots are taken. */
  #heldBack = new Set<string>();
  #isFull = false;
  #afterWebhook = '';

  constructor(parts: DeliveryWorkerParts) {
    const { database, clock, log, drainMs } = parts;
    const hint = { hints: database.hints, key: deliveriesKey };
    super({ name: 'delivery-worker', clock, log, pollMs, hint, drainMs, failure: 'deliveries could not be claimed' });
    this.#parts = parts;
    this.#outcomes = new Batcher({
      lanes: 1,
      maxBatch: outcomesAtOnce,
      keysOf: () => [],
      flush: (outcomes) => this.#record(outcomes),
    });
  }

  protected async work(): Promise<boolean> {
    this.#prepared ??= this.#prepare();
    await this.#prepared;
    const slots = concurrency - this.#lanes.held;
    if (slots > 0) return this.#claim(slots);
    this.#isFull = true;
    return false;
  }

  /** A new instance creates its keys now, so that no delivery waits for them. */
  async #prepare(): Promise<void> {
    await this.#parts.keys.current().catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'webhooks cannot be signed');
    });
  }

  /** True if more deliveries may be due. */
  async #claim(slots: number): Promise<boolean> {
    if (this.#afterWebhook === '') this.#heldBack.clear();
    const claim = await this.#parts.database.run(claimDeliveries, {
      workerId: this.#parts.workerId,
      leaseMs,
      slots,
      queues: this.#lanes.list(),
      usualLimit,
      afterWebhook: this.#afterWebhook,
    });
    this.#afterWebhook = claim.afterWebhook;
    if (claim.nextInMs !== null) this.wakeIn(claim.nextInMs);
    for (const delivery of claim.deliveries) this.#begin(delivery);
    for (const webhookId of claim.heldBack) this.#heldBack.add(webhookId);
    // Slots freed during the claim still counted as taken for it.
    return claim.hasMore || claim.heldBack.some((webhookId) => this.#lanes.isHalfEmpty(webhookId));
  }

  #begin(delivery: ClaimedDelivery): void {
    this.#lanes.enter(delivery.webhookId);
    this.track(this.#deliver(delivery).finally(() => this.#goOn(delivery.webhookId)));
  }

  /** Claims again for a webhook with more queued deliveries; not for every freed slot, because a claim has its cost. */
  #goOn(webhookId: string): void {
    if (!this.#isFull && !(this.#heldBack.has(webhookId) && this.#lanes.isHalfEmpty(webhookId))) return;
    this.#isFull = false;
    this.wake();
  }

  /** One attempt. If it or its record fails inside the service, the lease expires and another attempt is made. */
  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { sender, log } = this.#parts;
    let result: SendResult | null = null;
    try {
      const { taskId, traceparent } = delivery;
      result = await sender.send(
        { ...delivery, task: { taskId, traceparent } },
        { totalMs: attemptTimeoutMs, signal: this.signal },
      );
      const outcome = this.#classify(delivery, result);
      await this.#outcomes.submit(outcome);
      if (result) this.#logFailure(delivery, result, outcome);
      if (outcome.retryInMs !== null) this.wakeIn(outcome.retryInMs);
    } catch (error) {
      log.error({ err: error, webhook_id: delivery.webhookId, event_id: delivery.eventId }, 'a delivery failed internally');
    } finally {
      const isDelivered = result !== null && classifyAttempt(result.status) === 'delivered';
      this.#lanes.leave(delivery.webhookId, result && { isDelivered, durationMs: result.durationMs });
    }
  }

  /** Logs a failed attempt without the URL and the response, which may contain secrets. */
  #logFailure(delivery: ClaimedDelivery, { status, error, durationMs }: SendResult, outcome: DeliveryOutcome): void {
    if (outcome.verdict === 'delivered') return;
    const { accountId, id, webhookId, taskId, eventId, tries } = delivery;
    const ids = { account_id: accountId, webhook_id: webhookId, delivery_id: id, task_id: taskId, event_id: eventId };
    const about = { attempt: tries + 1, status, reason: error, ms: durationMs, retry_in_ms: outcome.retryInMs };
    this.#parts.log.warn({ ...ids, ...about }, 'a delivery failed');
  }

  #classify(delivery: ClaimedDelivery, result: SendResult | null): DeliveryOutcome {
    const { accountId, id, fence, webhookId, tries, log } = delivery;
    const about = { accountId, id, fence, webhookId };
    if (!result) return { ...about, verdict: 'cut', retryInMs: null, log };
    const { status, error, durationMs, excerpt } = result;
    const attempt = { atMs: this.#parts.clock.now() - durationMs, status, error, durationMs, excerpt };
    return {
      ...about,
      verdict: classifyAttempt(status),
      retryInMs: planDeliveryRetry(tries + 1, result, this.#parts.chance()),
      log: [...log, attempt].slice(-keptAttempts),
    };
  }

  async #record(outcomes: readonly DeliveryOutcome[]) {
    const { database, log } = this.#parts;
    const store = () => database.run(recordOutcomes, { outcomes, unbrokenFailureMs });
    // Retried once, because an unrecorded attempt is resent; recording twice is harmless.
    const disabled = await store().catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unavailable') return store();
      throw error;
    });
    for (const webhookId of disabled)
      log.warn({ webhook_id: webhookId }, 'a webhook was set inactive: it does not accept events');
    return outcomes.map(() => ({ ok: true, value: undefined }) as const);
  }
}
