import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';
import { padToPowerOfTwo, repeat, type Row, type Script, selectAll, type StoreOperation } from '../db/store-operation.ts';
import { eventRow, readEvent } from './events.ts';

/** Bodies up to this size are read with their sizes, so that most pages are one statement. */
const smallBytes = 8 * 1024;

/** The columns of events, and their sizes instead of large bodies. */
export const sizedColumns = `seq, at, type, octet_length(body) AS bytes,
  CASE WHEN octet_length(body) <= ${smallBytes} THEN body END AS body`;

const sizedRow = computedCodec('the size of an event', { bytes: integer, body: nullable(text) });

export interface PageBounds {
  accountId: string;
  taskId: string;
  limit: number;
  /** The page ends with the event that reaches this sum of the stored bytes, so that it has at least one. */
  maxBytes: number;
}

export interface EventPage {
  events: LoggedEvent[];
  hasMore: boolean;
}

/** How many of these rows belong to the page. */
function countFitting(rows: readonly Row[], { limit, maxBytes }: PageBounds): number {
  let bytes = 0;
  const last = rows.findIndex((row) => (bytes += sizedRow.bytes(row)) >= maxBytes);
  return Math.min(last === -1 ? rows.length : last + 1, limit);
}

/** The bodies of these rows, without those of events that have been deleted meanwhile. */
function* readLargeBodies({ accountId, taskId }: PageBounds, seqs: readonly number[]): Script<Map<number, Row>> {
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

/**
 * The events of a page within its bounds, whatever is stored.
 * @param rows `sizedColumns` of one event more than the limit, if there is one
 */
export function* readSizedPage(rows: readonly Row[], bounds: PageBounds): Script<EventPage> {
  const page = rows.slice(0, countFitting(rows, bounds));
  const isLarge = (row: Row) => sizedRow.body(row) === null;
  const read = yield* readLargeBodies(bounds, page.filter(isLarge).map(eventRow.seq));
  const whole = page.flatMap((row) => (isLarge(row) ? (read.get(eventRow.seq(row)) ?? []) : row));
  return { events: whole.map(readEvent), hasMore: page.length < rows.length };
}

export interface ReadLogPageArgs extends Pick<PageBounds, 'accountId' | 'taskId'> {
  /** Events after this number. */
  afterSeq: number;
}

/** Limits of the part of a log that one process reads at a time; a single event may be larger. */
const logPage = { limit: 500, maxBytes: 1024 * 1024 };

/** The next events of a log in order, including internal ones, within `logPage`. */
export const readLogPage: StoreOperation<ReadLogPageArgs, EventPage> = {
  name: 'events.readLogPage',
  access: 'read',
  *run({ accountId, taskId, afterSeq }) {
    const rows = yield* selectAll(
      `SELECT ${sizedColumns} FROM events WHERE account_id = ? AND task_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
      accountId,
      taskId,
      afterSeq,
      logPage.limit + 1,
    );
    return yield* readSizedPage(rows, { accountId, taskId, ...logPage });
  },
};
