import { pause, systemClock } from '@errand/base/clock.ts';
import type { Chance } from '../support/base/chance.ts';
import { type KnownMessage, knownMessage, type KnownTask, workKinds } from './known-work.ts';

type Json = Record<string, unknown>;

const answerTimeoutMs = 10_000;
const retryMs = 200;
const pollMs = 400;
/** Messages of a task at most. */
const mostTurns = 3;

export interface StreamOptions {
  chance: Chance;
  apiKey: string;
  /** Ways to the service; each request takes one of them. */
  urls: readonly [string, ...string[]];
  perMinute: number;
}

/** Clients that make tasks at a fixed rate and talk to them, each request with a key and repeated until it is answered. */
export class TaskStream {
  readonly tasks: KnownTask[] = [];
  /** Answers that no outage explains. */
  readonly surprises: string[] = [];
  requestCount = 0;
  unansweredCount = 0;
  readonly #options: StreamOptions;
  readonly #conversations = new Set<Promise<void>>();
  #isEnding = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { perMinute, chance } = this.#options;
    const startedMs = performance.now();
    for (let count = 0; !this.#isEnding; count++) {
      const conversation = this.#converse(count, chance.fork());
      this.#conversations.add(conversation);
      void conversation.finally(() => this.#conversations.delete(conversation));
      await pause(systemClock, startedMs + ((count + 1) * 60_000) / perMinute - performance.now());
    }
  }

  /** No new tasks and messages; resolves when those under way are acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#conversations);
  }

  async #converse(number: number, chance: Chance): Promise<void> {
    const next = (turn: number) => knownMessage(`t${number}m${turn}`, chance.pick(workKinds));
    const first = next(0);
    const { task_id: taskId } = await this.#write('task.create', {}, first, chance);
    const task: KnownTask = { id: String(taskId), messages: [first] };
    this.tasks.push(task);
    const turns = chance.integer(1, mostTurns);
    for (let turn = 1; turn < turns; turn++) {
      if (!(await this.#waitForEnd(task.id, chance))) return;
      const message = next(turn);
      // The list is extended first: a message whose answer is lost may be there all the same, and is repeated until it is answered.
      task.messages.push(message);
      await this.#write('task.sendMessage', { task_id: task.id }, message, chance);
    }
  }

  /** False when the stream ends first. */
  async #waitForEnd(taskId: string, chance: Chance): Promise<boolean> {
    while (!this.#isEnding) {
      const answer = await this.#ask(`task.detail?task_id=${taskId}`, null, null, chance);
      const { status } = (answer?.['task'] ?? {}) as { status?: string };
      if (status === 'stopped' || status === 'error') return true;
      await pause(systemClock, pollMs);
    }
    return false;
  }

  async #write(operation: string, input: Json, { token, content }: KnownMessage, chance: Chance): Promise<Json> {
    for (;;) {
      const answer = await this.#ask(operation, { ...input, message: { content } }, token, chance);
      if (answer) return answer;
      await pause(systemClock, retryMs);
    }
  }

  /** The body of a 200, or null when there was none; notes what is neither a success nor an outage. */
  async #ask(address: string, input: Json | null, key: string | null, chance: Chance): Promise<Json | null> {
    const { urls, apiKey } = this.#options;
    this.requestCount += 1;
    const headers = {
      'x-service-api-key': apiKey,
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
    };
    const body = input === null ? {} : { method: 'POST', body: JSON.stringify(input) };
    try {
      const signal = AbortSignal.timeout(answerTimeoutMs);
      const response = await fetch(`${chance.pick(urls)}/v2/${address}`, { headers, signal, ...body });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text) as Json;
      if (response.status !== 503) this.surprises.push(`${address} was answered ${response.status}: ${text.slice(0, 300)}`);
    } catch {
      // No answer, or half of one.
    }
    this.unansweredCount += 1;
    return null;
  }
}
