import type { RowsEvent } from '../events/row-events.ts';

/** Failed calls about rows since the last that was answered. */
export interface RowsState {
  failures: number;
  /** The earliest time of the next call, and when the first of the failures was logged, 0 for none. */
  retryAt: number;
  failingSince: number;
}

export const noRowFailures: RowsState = { failures: 0, retryAt: 0, failingSince: 0 };

/** The state after one more event. A first failure counts from its own time, because rows may have been answered beside it. */
export function advanceRows(rows: RowsState, event: RowsEvent, atMs: number): RowsState {
  if (event.type === 'rows_started') return rows;
  if (event.type === 'rows_finished') return noRowFailures;
  const { attempt, retryAt } = event;
  return { failures: attempt, retryAt, failingSince: attempt === 1 ? atMs : rows.failingSince || atMs };
}
