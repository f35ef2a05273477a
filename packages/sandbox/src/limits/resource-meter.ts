import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Usage, UsageQuestion } from './resource-usage.ts';

// The file's own extension: the published package is JavaScript.
const workerFile = new URL(`./resource-worker${extname(import.meta.url)}`, import.meta.url);

interface Asked {
  answer(usage: Usage): void;
  fail(error: unknown): void;
}

/** Measures sandboxes one after another in a separate thread, so that no hostile folder delays the service. */
export class UsageMeter {
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** The request's descriptor has to stay open until this settles. */
  measure(question: UsageQuestion): Promise<Usage> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((answer, fail) => {
      this.#asked.set(id, { answer, fail });
      worker.postMessage({ id, question });
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /** The thread does not keep the process alive; after a failure the next request starts another. */
  #start(): Worker {
    const worker = new Worker(workerFile, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 128 } });
    worker.unref();
    worker.on('message', ({ id, usage }: { id: number; usage: Usage }) => {
      this.#asked.get(id)?.answer(usage);
      this.#asked.delete(id);
    });
    worker.on('error', (error) => {
      this.#worker = null;
      for (const { fail } of this.#asked.values()) fail(error);
      this.#asked.clear();
    });
    return worker;
  }
}
