import type { CallBill, CallEstimate, CallFault, ModelSwitch } from './call-cost.ts';

/** What happens while a model works on the rows of a table (map_rows). The answers are stored beside the log. */
export type RowsEvent =
  /** The start of calls about this many rows. */
  | ({ type: 'rows_started'; callId: string; model: string; rows: number } & CallEstimate)
  /** The model became unavailable before all rows were answered. */
  | ({ type: 'rows_failed'; callId: string; attempt: number; reason: string; retryAt: number } & CallFault &
      ModelSwitch &
      CallBill)
  | ({ type: 'rows_finished'; callId: string } & CallBill);

const rowsTypes: readonly string[] = ['rows_started', 'rows_failed', 'rows_finished'] satisfies RowsEvent['type'][];

export function isRowsEvent(event: { type: string }): event is RowsEvent {
  return rowsTypes.includes(event.type);
}
