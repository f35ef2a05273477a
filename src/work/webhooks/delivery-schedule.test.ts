import { describe, expect, it } from 'vitest';
import { createDeliveryWorker, hang, type Sent } from '../../../test/support/webhooks/delivery-samples.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { addWebhook, claimSome, createReported, listAll } from '../../../test/support/webhooks/webhook-samples.ts';
import { retryDelaysMs } from '../../rules/webhooks/retry-schedule.ts';
import type { Database } from '../../store/db/database.ts';
import type { DeliveryWorker } from './delivery-worker.ts';
import type { WebhookSender } from './webhook-sender.ts';

const eventCount = 1000;
const maxAttempts = retryDelaysMs.length + 1;
const leaseMs = 30_000;

/** Deterministic random numbers (xorshift). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A database as a killed process sees it: its pending requests may be executed, but it receives no results. */
class Mortal {
  isDead = false;

  wrap(database: Database): Database {
    const pass = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (this.isDead) return new Promise(() => undefined);
      const result = await work();
      return this.isDead ? new Promise(() => undefined) : result;
    };
    return {
      hints: database.hints,
      deltas: database.deltas,
      run: (operation, args) => pass(() => database.run(operation, args)),
      runOnce: (operation, args, key) => pass(() => database.runOnce(operation, args, key)),
      close: () => Promise.resolve(),
    };
  }
}

/** A receiver that rejects each event as often as the test says, and what it received. */
class Refuser implements WebhookSender {
  readonly sent = new Map<string, Sent[]>();
  readonly #refusals = new Map<string, number>();
  readonly #clock: TestClock;
  readonly #chance: () => number;

  constructor(clock: TestClock, chance: () => number) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** How often an event is rejected; ten times or more means always. */
  refusalsOf(eventId: string): number {
    const known = this.#refusals.get(eventId) ?? Math.floor(this.#chance() * (maxAttempts + 2));
    this.#refusals.set(eventId, known);
    return known;
  }

  /** @param isCounted false if the response never reaches anybody */
  receive(message: Parameters<WebhookSender['send']>[0], isCounted: boolean): number {
    const sent = this.sent.get(message.eventId) ?? [];
    sent.push({ ...message, atMs: this.#clock.now() });
    this.sent.set(message.eventId, sent);
    const left = this.refusalsOf(message.eventId);
    if (isCounted && left > 0) this.#refusals.set(message.eventId, left - 1);
    return left > 0 ? 500 : 200;
  }

  async send(message: Parameters<WebhookSender['send']>[0]) {
    return { status: this.receive(message, true), retryAfterMs: null, error: null, durationMs: 0, excerpt: '' };
  }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds until something is due, null if nothing ever will be. */
async function findNext(database: Database): Promise<number | null> {
  const { heldBack, nextInMs } = await claimSome(database, { slots: 0 });
  return heldBack.length > 0 ? 0 : nextInMs;
}

async function workUntilIdle(database: Database, worker: DeliveryWorker): Promise<void> {
  await worker.start();
  do await turn();
  while ((await claimSome(database, { slots: 0 })).heldBack.length > 0);
  await worker.stop();
}

describe('deliveries over 75 hours', () => {
  it('lose none of 1,000 events and follow the schedule exactly, with another process for every attempt', async () => {
    const chance = createChance(20_260_101);
    const clock = new TestClock();
    const database = new MemoryDatabase(clock);
    const receiver = new Refuser(clock, chance);
    const accountId = newAccountId();
    await addWebhook(database, accountId);
    await createReported(database, accountId, eventCount);
    const planned = new Map((await listAll(database, accountId)).map(({ eventId }) => [eventId, receiver.refusalsOf(eventId)]));
    const startedAt = clock.now();
    const kills = { processes: 0, messages: new Map<string, number>() };

    for (let nextInMs: number | null = 0; nextInMs !== null; nextInMs = await findNext(database)) {
      clock.jump(nextInMs);
      // Three steps of jitter, so that many events share the moments at which the process changes.
      const options = { chance: () => Math.floor(chance() * 3) / 2 };
      if (chance() < 0.2) await killInMidAttempt();
      else await workUntilIdle(database, createDeliveryWorker(database, receiver, clock, options));
    }

    /** A process that sends a few messages and dies without a response. */
    async function killInMidAttempt(): Promise<void> {
      const mortal = new Mortal();
      const send: WebhookSender['send'] = (message) => {
        receiver.receive(message, false);
        kills.messages.set(message.eventId, (kills.messages.get(message.eventId) ?? 0) + 1);
        return hang().then(() => null);
      };
      const worker = createDeliveryWorker(mortal.wrap(database), { send }, clock);
      await worker.start();
      for (let turns = 0; turns < 20; turns += 1) await turn();
      mortal.isDead = true;
      kills.processes += 1;
      void worker.stop();
    }

    const deliveries = await listAll(database, accountId);
    expect(deliveries).toHaveLength(eventCount);
    expect(kills.processes).toBeGreaterThan(20);
    for (const { eventId, status, attempts } of deliveries) {
      const refusals = planned.get(eventId) ?? 0;
      const expected = Math.min(refusals + 1, maxAttempts);
      const sent = receiver.sent.get(eventId) ?? [];
      expect({ status, attempts }).toEqual({ status: refusals < maxAttempts ? 'delivered' : 'failed', attempts: expected });
      expect(sent.length).toBe(expected + (kills.messages.get(eventId) ?? 0));
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
      checkTimes(sent, kills.messages.get(eventId) ?? 0);
    }
    expect(clock.now() - startedAt).toBeGreaterThan(60 * 3_600_000);
  });

  /** Without a kill, attempts follow the schedule exactly; each kill may delay the rest by the length of a lease. */
  function checkTimes(sent: readonly Sent[], killCount: number): void {
    if (killCount > 0) {
      const longest = retryDelaysMs.reduce((sum, delay) => sum + 1.2 * delay, 0) + killCount * leaseMs;
      expect((sent.at(-1)?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeLessThanOrEqual(longest);
      return;
    }
    for (const [index, base] of retryDelaysMs.slice(0, sent.length - 1).entries()) {
      const delay = (sent[index + 1]?.atMs ?? 0) - (sent[index]?.atMs ?? 0);
      expect([0.8 * base, base, 1.2 * base]).toContain(delay);
    }
  }
});
