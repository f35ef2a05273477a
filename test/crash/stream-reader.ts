import { EventEmitter, once } from 'node:events';
import type { Chance } from '../support/base/chance.ts';
import type { PublicEvent, ServiceClient } from '../support/service/service-client.ts';
import type { WorkHistory } from './work-history.ts';

/** Only for readers that hang. */
const timeoutMs = 240_000;

interface ReaderParts {
  client: ServiceClient;
  chance: Chance;
  history: WorkHistory;
  taskId: string;
}

/** Reads one task's stream over as many connections as it takes, and disconnects now and then. */
export class StreamReader {
  readonly events: PublicEvent[] = [];
  readonly taskId: string;
  readonly #parts: ReaderParts;
  readonly #end = new AbortController();
  readonly #signals = new EventEmitter();
  readonly #done: Promise<void>;
  connections = 0;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.taskId = parts.taskId;
    this.#done = this.#read();
  }

  async #read(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#parts.history.waitUntilUp();
      this.connections += 1;
      // Whatever ends the connection, the next one resumes after the last event.
      await this.#readOnce(this.#parts.chance.integer(1, 12)).catch(() => undefined);
    }
  }

  async #readOnce(maxEvents: number): Promise<void> {
    const { client, taskId } = this.#parts;
    const hangUp = new AbortController();
    let left = maxEvents;
    const signal = AbortSignal.any([hangUp.signal, this.#end.signal]);
    for await (const event of client.stream(taskId, this.events.at(-1)?.id ?? null, signal)) {
      this.events.push(event);
      this.#signals.emit('event');
      left -= 1;
      if (left === 0) return hangUp.abort();
    }
  }

  /** Resolves once it has read this event. */
  async waitFor(id: string | undefined): Promise<void> {
    while (!this.events.some((event) => event.id === id))
      await once(this.#signals, 'event', { signal: AbortSignal.timeout(timeoutMs) });
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }
}
