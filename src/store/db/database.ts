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
