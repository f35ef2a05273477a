import type { DeltaSink, DeltaSource } from '@errand/base/signals/deltas.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { StoreOperation } from './store-operation.ts';

/** A caller's `Idempotency-Key` and the request it was used for (docs/reference/choices.md#idempotency). */
export interface IdempotencyKey {
  accountId: string;
  key: string;
  operation: string;
  /** SHA-256 of the request body. */
  bodyDigest: string;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface Remembered<Result> {
  result: Result;
  /** True if the operation ran for an earlier request and this is its stored result. */
  isReplay: boolean;
}

/** The store. When a promise resolves, the write is on disk. */
export interface Database {
  readonly hints: Hints;
  readonly deltas: DeltaSource & DeltaSink;
  run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
  /** Runs the write, or returns its first result, in the transaction that stores the key. */
  runOnce<Args, Result>(operation: StoreOperation<Args, Result>, args: Args, key: IdempotencyKey): Promise<Remembered<Result>>;
  close(): Promise<void>;
}

/** A store that publishes the hints of its operations as soon as their results are durable, and never for a replay. */
export abstract class AnnouncingDatabase implements Database {
  abstract readonly hints: Hints;
  abstract readonly deltas: Database['deltas'];

  abstract close(): Promise<void>;

  /** The result of the operation; with a key, what `runRemembered` makes of it. */
  protected abstract perform<Args>(
    operation: StoreOperation<Args, unknown>,
    args: Args,
    key: IdempotencyKey | null,
  ): Promise<unknown>;

  async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    const result = (await this.perform(operation, args, null)) as Result;
    this.#announce(operation, args, result);
    return result;
  }

  async runOnce<Args, Result>(
    operation: StoreOperation<Args, Result>,
    args: Args,
    key: IdempotencyKey,
  ): Promise<Remembered<Result>> {
    const remembered = (await this.perform(operation, args, key)) as Remembered<Result>;
    if (!remembered.isReplay) this.#announce(operation, args, remembered.result);
    return remembered;
  }

  #announce<Args, Result>(operation: StoreOperation<Args, Result>, args: Args, result: Result): void {
    for (const hint of operation.announce?.(args, result) ?? []) this.hints.publish(hint);
  }
}
