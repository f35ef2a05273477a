import { Fault } from '../fault.ts';

/** The outcome of one item of a batch: a failing item never affects its neighbors. */
export type Outcome<Result> = { ok: true; value: Result } | { ok: false; error: unknown };

export interface BatcherOptions<Item, Result> {
  /** Batches in flight at once. */
  lanes: number;
  maxBatch: number;
  /** The most waiting items; further ones are rejected with `unavailable`, so that a store that hangs does not fill the memory. */
  maxWaiting?: number;
  /** Items that share a key keep their order and never run at the same time. */
  keysOf(item: Item): readonly string[];
  /** Must settle every item; a rejection fails the whole batch. */
  flush(items: readonly Item[], lane: number): Promise<readonly Outcome<Result>[]>;
}

interface Waiting<Item, Result> {
  item: Item;
  keys: readonly string[];
  resolve(value: Result): void;
  reject(error: unknown): void;
}

/**
 * Group commit: items submitted while a batch is in progress form the next one, so the cost of a commit is shared by all that wait for it
 * and nothing waits for a timer.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #freeLanes: number[];
  readonly #busyKeys = new Set<string>();
  #queue: Waiting<Item, Result>[] = [];
  #isScheduled = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#freeLanes = Array.from({ length: options.lanes }, (_, lane) => lane);
  }

  submit(item: Item): Promise<Result> {
    if (this.#queue.length >= (this.#options.maxWaiting ?? Number.POSITIVE_INFINITY)) {
      return Promise.reject(new Fault('unavailable', 'The storage is temporarily overloaded; try again.', { retryAfterS: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, keys: this.#options.keysOf(item), resolve, reject });
      this.#schedule();
    });
  }

  /** Collects what one turn of the event loop submits before sending the first batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#freeLanes.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const lane = this.#freeLanes.pop();
      if (lane === undefined) return;
      const batch = this.#takeBatch();
      if (batch.length === 0) {
        this.#freeLanes.push(lane);
        return;
      }
      void this.#runBatch(batch, lane);
    }
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { maxBatch } = this.#options;
    if (this.#busyKeys.size === 0 && this.#queue.every(({ keys }) => keys.length === 0)) return this.#queue.splice(0, maxBatch);
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    const blocked = new Set(this.#busyKeys);
    for (const waiting of this.#queue) {
      const canRun = batch.length < maxBatch && !waiting.keys.some((key) => blocked.has(key));
      (canRun ? batch : rest).push(waiting);
      for (const key of waiting.keys) blocked.add(key);
    }
    this.#queue = rest;
    for (const waiting of batch) for (const key of waiting.keys) this.#busyKeys.add(key);
    return batch;
  }

  async #runBatch(batch: Waiting<Item, Result>[], lane: number): Promise<void> {
    let outcomes: readonly Outcome<Result>[];
    try {
      outcomes = await this.#options.flush(
        batch.map((waiting) => waiting.item),
        lane,
      );
    } catch (error) {
      outcomes = batch.map(() => ({ ok: false, error }));
    }
    for (const waiting of batch) for (const key of waiting.keys) this.#busyKeys.delete(key);
    this.#freeLanes.push(lane);
    if (this.#queue.length > 0) this.#schedule();
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index] ?? { ok: false, error: new Error('the batch lost an item') };
      if (outcome.ok) waiting.resolve(outcome.value);
      else waiting.reject(outcome.error);
    }
  }
}
