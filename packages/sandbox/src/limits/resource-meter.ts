import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '@errand/base/log.ts';
import type { PriorityQuestion } from './cpu-priority.ts';
import type { FilesQuestion, FilesUse, MemoryQuestion, MemoryUse, Usage, UsageQuestion } from './resource-usage.ts';
import type { FromMeter, ToMeter } from './resource-worker.ts';

// The file's own extension: the published package is JavaScript.
const workerFile = new URL(`./resource-worker${extname(import.meta.url)}`, import.meta.url);

interface Asked extends ToMeter {
  answer(usage: Usage): void;
  fail(error: Error): void;
}

/**
 * Measures sandboxes in a separate thread, so that no hostile folder delays the service. If the thread dies, another one repeats
 * its requests: first one sandbox at a time, so that a sandbox whose measurement kills threads is identified, and fails alone.
 */
export class UsageMeter {
  readonly #log: Log;
  readonly #file: URL;
  /** Requests without a response. */
  readonly #open = new Map<number, Asked>();
  /** Requests to send one at a time, because a thread died during them. */
  #retried: Asked[] = [];
  #waiting: Asked[] = [];
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(log: Log, file: URL = workerFile) {
    this.#log = log;
    this.#file = file;
  }

  /** The request's descriptor must stay open until this settles. */
  measure(question: MemoryQuestion): Promise<MemoryUse>;
  measure(question: FilesQuestion): Promise<FilesUse>;
  measure(question: PriorityQuestion): Promise<null>;
  measure(question: UsageQuestion): Promise<Usage> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ id: ++this.#lastId, question, answer, fail });
      this.#askNext();
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #askNext(): void {
    if (this.#retried.length === 0) for (const asked of this.#waiting.splice(0)) this.#ask(asked);
    else if (this.#open.size === 0) this.#ask(this.#retried[0]);
  }

  #ask(asked: Asked | undefined): void {
    if (!asked) return;
    this.#open.set(asked.id, asked);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id: asked.id, question: asked.question } satisfies ToMeter);
  }

  #settle(id: number, settle: (asked: Asked) => void): void {
    const asked = this.#open.get(id);
    if (!asked) return;
    this.#open.delete(id);
    this.#retried = this.#retried.filter((other) => other !== asked);
    settle(asked);
    this.#askNext();
  }

  /** Starts the thread, which does not keep the process alive. */
  #start(): Worker {
    const worker = new Worker(this.#file, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 128 } });
    let cause: unknown = 'it ended by itself';
    worker.unref();
    worker.on('message', (message: FromMeter) => {
      this.#settle(message.id, ({ answer, fail }) => ('usage' in message ? answer(message.usage) : fail(message.failure)));
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#replace(cause);
    });
    return worker;
  }

  #replace(cause: unknown): void {
    this.#worker = null;
    this.#log.error(
      { err: cause, sandboxes: this.#open.size },
      'the thread that measures sandboxes died; another one takes over',
    );
    const [only, ...others] = this.#open.values();
    if (only && others.length === 0 && this.#retried.includes(only)) {
      return this.#settle(only.id, ({ fail }) => fail(new Error('measuring this sandbox ends the thread', { cause })));
    }
    this.#retried.push(...this.#open.values().filter((asked) => !this.#retried.includes(asked)));
    this.#open.clear();
    this.#askNext();
  }
}
