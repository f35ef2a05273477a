import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { padToPowerOfTwo, repeat, type Row, type Script, selectAll, type StoreOperation } from '../db/store-operation.ts';
import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';
import { eventRow, readEvent, type ReadShownArgs, selectShown } from './events.ts';

/** Bodies up to this size are read with their sizes, so that most pages are one statement. */
const smallBytes = 8 * 1024;

export interface ReadShownPageArgs extends ReadShownArgs {
  /** The page ends with the event that reaches this sum of the stored bytes, so that it has at least one. */
  maxBytes: number;
}

export interface ShownPage {
  events: LoggedEvent[];
  hasMore: boolean;
}

const sizedRow = computedCodec('the size of an event', { bytes: integer, body: nullable(text) });

/** How many of these rows belong to the page. */
function countFitting(rows: readonly Row[], limit: number, maxBytes: number): number {
  let bytes = 0;
  const last = rows.findIndex((row) => (bytes += sizedRow.bytes(row)) >= maxBytes);
  return Math.min(last === -1 ? rows.length : last + 1, limit);
}

/** The bodies of these rows; none of events that have been deleted meanwhile. */
function* readLargeBodies({ accountId, taskId }: ReadShownArgs, seqs: readonly number[]): Script<Map<number, Row>> {
  if (seqs.length === 0) return new Map();
  const padded = padToPowerOfTwo(seqs);
  const rows = yield* selectAll(
    `SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq IN (${repeat('?', padded.length)})`,
    accountId,
    taskId,
    ...padded,
  );
  return new Map(rows.map((row) => [eventRow.seq(row), row]));
}

/** A page of the events that clients may see, of up to `limit` events and about as many bytes as asked for. */
export const readShownPage: StoreOperation<ReadShownPageArgs, ShownPage> = {
  name: 'events.readShownPage',
  access: 'read',
  *run({ maxBytes, ...args }) {
    const sized = `seq, at, type, octet_length(body) AS bytes,
      CASE WHEN octet_length(body) <= ${smallBytes} THEN body END AS body`;
    const rows = yield* selectShown(sized, { ...args, limit: args.limit + 1 });
    const page = rows.slice(0, countFitting(rows, args.limit, maxBytes));
    const isLarge = (row: Row) => sizedRow.body(row) === null;
    const read = yield* readLargeBodies(args, page.filter(isLarge).map(eventRow.seq));
    const whole = page.flatMap((row) => (isLarge(row) ? (read.get(eventRow.seq(row)) ?? []) : row));
    return { events: whole.map(readEvent), hasMore: page.length < rows.length };
  },
};
