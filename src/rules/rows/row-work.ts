import type { OutputSchema } from '../events/task-event.ts';

/** The most rows of one table. */
export const mostRows = 1000;
/** A longer row is not given to a model; in bytes, as the model reads it. */
export const mostRowBytes = 32 * 1024;
/** A longer answer counts as one that does not conform; in bytes of JSON. */
export const mostAnswerBytes = 16 * 1024;

/** A table about whose rows a model is asked, one by one. */
export interface RowWork {
  /** Identifies the work: the same table, instruction, and schema give the same id, so rows already answered are not asked about again. */
  job: string;
  instruction: string;
  schema: OutputSchema;
  /** Each row as the model reads it. */
  rows: readonly string[];
}

/** What came of a row. */
export type RowResult = { state: 'done'; value: unknown } | { state: 'failed'; reason: string };

/** What is known of a row: also that its first answer did not conform, and why; it is then asked for once more. */
export type RowState = RowResult | { state: 'misfit'; reason: string };

/** The state of the row at a position, counted from 0. */
export type PlacedState = RowState & { position: number };
