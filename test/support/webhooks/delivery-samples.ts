import { newId } from '@errand/base/ids.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { DeliveryWorker } from '../../../src/work/webhooks/delivery-worker.ts';
import type { SendResult, WebhookMessage, WebhookSender } from '../../../src/work/webhooks/webhook-sender.ts';
import type { TestClock } from '../base/test-clock.ts';

export interface Sent extends WebhookMessage {
  atMs: number;
}

export type Answer = Partial<SendResult> | Promise<Partial<SendResult>>;

/** A substitute for the network: records requests, and answers as the test specifies. */
export class ScriptedSender implements WebhookSender {
  readonly sent: Sent[] = [];
  readonly #clock: TestClock;
  answer: (message: WebhookMessage) => Answer = () => ({ status: 204 });

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  sentOf(eventId: string): Sent[] {
    return this.sent.filter((message) => message.eventId === eventId);
  }

  async send(message: WebhookMessage, { signal }: { signal?: AbortSignal }): Promise<SendResult | null> {
    const { webhookId, url, eventId, body, sealedSecrets } = message;
    this.sent.push({ webhookId, url, eventId, body, sealedSecrets, atMs: this.#clock.now() });
    const isCut = new Promise<null>((resolve) => signal?.addEventListener('abort', () => resolve(null), { once: true }));
    const answer = await Promise.race([this.answer(message), isCut]);
    return answer && { status: null, retryAfterMs: null, error: null, durationMs: 10, excerpt: '', ...answer };
  }
}

/** A receiver that never responds. */
export function hang(): Promise<Partial<SendResult>> {
  return new Promise(() => undefined);
}

export interface WorkerOptions {
  chance?: () => number;
  log?: Log;
}

export function createDeliveryWorker(
  database: Database,
  sender: WebhookSender,
  clock: TestClock,
  { chance = () => 0.5, log = silentLog }: WorkerOptions = {},
): DeliveryWorker {
  const keys = { current: () => Promise.resolve([]) };
  return new DeliveryWorker({ database, sender, keys, clock, log, workerId: newId(clock.now()), chance, drainMs: 8000 });
}
