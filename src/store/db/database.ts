import type { DeltaSink, DeltaSource } from '@errand/base/signals/deltas.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { StoreOperation } from './store-operation.ts';

/** A caller's `Idempotency-Key` with what it was used for (docs/reference/choices.md#idempotency). */
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
  /** True when the operation ran at an earlier request and this is its result from then. */
  isReplay: boolean;
}

/** The store. A promise that resolves means that the write has reached the disk. */
export interface Database {
  readonly hints: Hints;
  readonly deltas: DeltaSource & DeltaSink;
  run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
  /** Runs the write, or returns its first result, in the same transaction that remembers the key. */
  runOnce<Args, Result>(operation: StoreOperation<Args, Result>, args: Args, key: IdempotencyKey): Promise<Remembered<Result>>;
  close(): Promise<void>;
}
