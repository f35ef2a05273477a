import type { Clock, Timer } from '@errand/base/clock.ts';
import { LocalDeltas } from '@errand/base/signals/deltas.ts';
import { Fault } from '@errand/base/fault.ts';
import { type Hint, LocalHints } from '@errand/base/signals/hints.ts';
import type { Database, Remembered } from '../../src/store/db/database.ts';
import type { StoreOperation } from '../../src/store/db/store-operation.ts';

/** What the world does to a call on its way to the store and back. */
export interface Road {
  /** True for a call that does not get through. */
  isBlocked(): boolean;
  perform<Args, Result>(view: ProcessView, operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
  /** Tells every process; `from` is null for a client. */
  publish(from: ProcessView | null, hint: Hint): void;
}

/**
 * The store and the clock as one process sees them. A process that is dead sees nothing any more, one that is paused sees
 * everything later, when others have long gone on.
 */
export class ProcessView implements Database, Clock {
  readonly name: string;
  readonly deltas = new LocalDeltas();
  readonly #road: Road;
  readonly #clock: Clock;
  readonly #local = new LocalHints();
  #isDead = false;
  #gate: PromiseWithResolvers<void> | null = null;

  constructor(name: string, road: Road, clock: Clock) {
    this.name = name;
    this.#road = road;
    this.#clock = clock;
  }

  get hints() {
    return {
      publish: (hint: Hint) => this.#road.publish(this, hint),
      subscribe: (key: string, listener: () => void) => this.#local.subscribe(key, listener),
    };
  }

  get isPaused(): boolean {
    return this.#gate !== null;
  }

  kill(): void {
    this.#isDead = true;
  }

  pause(): void {
    this.#gate ??= Promise.withResolvers();
  }

  resume(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  /** A hint that has reached this process. */
  receive(hint: Hint): void {
    if (!this.#isDead && !this.#gate) this.#local.publish(hint);
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimer(run: () => void, delayMs: number): Timer {
    let isCancelled = false;
    const timer = this.#clock.setTimer(() => {
      if (!this.#gate && !this.#isDead) return run();
      void this.#wake().then(() => isCancelled || run());
    }, delayMs);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  /** Resolves while the process runs: later for a paused one, never for a dead one. */
  async #wake(): Promise<void> {
    while (this.#gate) await this.#gate.promise;
    if (this.#isDead) await new Promise(() => undefined);
  }

  async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    await this.#wake();
    this.#refuseSometimes();
    const result = await this.#road.perform(this, operation, args);
    await this.#wake();
    // The store has done it; the answer is lost on the way.
    this.#refuseSometimes();
    for (const hint of operation.announce?.(args, result) ?? []) this.#road.publish(this, hint);
    return result;
  }

  #refuseSometimes(): void {
    if (this.#road.isBlocked()) throw new Fault('unavailable', 'The storage is temporarily unavailable; try again.');
  }

  runOnce<Result>(): Promise<Remembered<Result>> {
    return Promise.reject(new Error('workers do not use idempotency keys'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
