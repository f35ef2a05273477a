import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { type Row, type Script, sql, type StoreOperation } from '../db/store-operation.ts';
import { readEvent } from './events.ts';

export interface ReadConversationsArgs {
  accountId: string;
  taskIds: readonly string[];
  /** Events of each task. */
  limit: number;
  /** Each conversation ends with the event that reaches this sum of the stored bytes, so that it has at least one. */
  maxBytesEach: number;
  /** The conversations end with the one that reaches this sum, so that there is at least one. */
  maxBytes: number;
}

const sizedRow = computedCodec('the number and size of an event', { seq: integer, bytes: integer });

const said = `FROM events INDEXED BY events_shown WHERE account_id = ? AND task_id = ? AND seq <= ?
  AND audience = 1 AND type IN ('user_message', 'assistant_message', 'error') ORDER BY seq DESC LIMIT ?`;

/** The end of a conversation to be read: its newest event, the number of events, and their stored bytes. */
interface End {
  taskId: string;
  lastSeq: number;
  count: number;
  bytes: number;
}

function measureEnd(taskId: string, rows: readonly Row[], maxBytes: number): End {
  let bytes = 0;
  let count = 0;
  for (const row of rows) {
    bytes += sizedRow.bytes(row);
    count += 1;
    if (bytes >= maxBytes) break;
  }
  const [newest] = rows;
  return { taskId, lastSeq: newest ? sizedRow.seq(newest) : 0, count, bytes };
}

/** The first of these, up to the one with which the sum reaches the limit. */
function takeFitting(ends: readonly End[], maxBytes: number): readonly End[] {
  let bytes = 0;
  const last = ends.findIndex((end) => (bytes += end.bytes) >= maxBytes);
  return last === -1 ? ends : ends.slice(0, last + 1);
}

function* readEnds(accountId: string, ends: readonly End[]): Script<Map<string, LoggedEvent[]>> {
  const found = ends.filter(({ count }) => count > 0);
  if (found.length === 0) return new Map();
  const pages = yield found.map(({ taskId, lastSeq, count }) =>
    sql(`SELECT seq, at, type, body ${said}`, accountId, taskId, lastSeq, count),
  );
  return new Map(found.map(({ taskId }, index) => [taskId, (pages[index] ?? []).map(readEvent)]));
}

/**
 * The latest messages of several tasks of an account, newest first; of fewer tasks if their conversations are long. Sizes are read before
 * texts, so that what is read is bounded whatever is stored.
 */
export const readConversations: StoreOperation<ReadConversationsArgs, LoggedEvent[][]> = {
  name: 'events.readConversations',
  access: 'read',
  *run({ accountId, taskIds, limit, maxBytesEach, maxBytes }) {
    const sizes = `SELECT seq, octet_length(body) AS bytes ${said}`;
    const measured = yield taskIds.map((taskId) => sql(sizes, accountId, taskId, Number.MAX_SAFE_INTEGER, limit));
    const ends = taskIds.map((taskId, index) => measureEnd(taskId, measured[index] ?? [], maxBytesEach));
    const fitting = takeFitting(ends, maxBytes);
    const read = yield* readEnds(accountId, fitting);
    return fitting.map(({ taskId }) => read.get(taskId) ?? []);
  },
};
