import type { Piece } from './ceiling-work.ts';

/** A database driver with nothing of ours around it. */
export interface BareDatabase {
  /** Batches of writes, or reads, that are worth having under way at once. */
  readonly lanes: number;
  /** Resolves when the whole batch is durable. */
  write(batch: readonly Piece[]): Promise<void>;
  read(piece: Piece): Promise<void>;
  close(): Promise<void>;
}
