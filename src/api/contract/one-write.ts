import type { StoreOperation } from '../../store/db/store-operation.ts';

/** The write of a request, which happens once for each `Idempotency-Key`. */
export interface OneWrite {
  /** Whether an earlier request with this key was answered: then `write` only returns its result. Spares what was only for the write. */
  recall(): Promise<boolean>;
  /** The one write of a request. With a reused `Idempotency-Key` it returns the stored result. */
  write<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
}
