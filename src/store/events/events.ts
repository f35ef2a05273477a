import type { LoggedEvent, TaskEvent, TaskEventType } from '../../rules/events/task-event.ts';
import { audienceOf } from '../../rules/events/present.ts';
import {
  type StoreOperation,
  padToPowerOfTwo,
  placeholders,
  type Row,
  selectAll,
  type SqlValue,
  type Statement,
} from '../db/store-operation.ts';
import { matchTask, type TaskKey } from './task-key.ts';
import { taskRow } from '../db/shared-rows.ts';
import { integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';

const columns = 7;
const insertTexts: string[] = [];

/** The statement that logs this many events, cached. */
function insertText(count: number): string {
  const rows = () => placeholders(count, columns);
  return (insertTexts[count] ??= `INSERT INTO events (account_id, task_id, seq, at, audience, type, body) VALUES ${rows()}`);
}

/** One statement that logs `events` with numbers from `firstSeq` on; their times start at `firstAtMs` and increase strictly. */
export function insertEvents(
  accountId: string,
  taskId: string,
  firstSeq: number,
  firstAtMs: number,
  events: readonly TaskEvent[],
): Statement {
  const params = events.flatMap((event, index): SqlValue[] => {
    const { type, ...body } = event;
    return [accountId, taskId, firstSeq + index, firstAtMs + index, audienceOf(type), type, JSON.stringify(body)];
  });
  return { sql: insertText(events.length), params };
}

/**
 * Where events were logged. They are not returned, because the caller has them and each copy costs a task as much as the write;
 * `changed` are those that were logged in their place, null for the same.
 */
export interface Logged {
  outcome: 'logged';
  firstSeq: number;
  firstAtMs: number;
  changed: readonly TaskEvent[] | null;
}

/** The events of an append as they are in the log. */
export function readLogged(events: readonly TaskEvent[], { firstSeq, firstAtMs, changed }: Logged): LoggedEvent[] {
  return (changed ?? events).map((event, index) => ({ seq: firstSeq + index, atMs: firstAtMs + index, event }));
}

/** `events` */
export const eventRow = tableCodec('events', {
  task_id: text,
  seq: integer,
  at: integer,
  type: oneOf<TaskEventType>(),
  body: json<Record<string, unknown>>(),
});

export function readEvent(row: Row): LoggedEvent {
  return {
    seq: eventRow.seq(row),
    atMs: eventRow.at(row),
    event: { type: eventRow.type(row), ...eventRow.body(row) } as TaskEvent,
  };
}

export interface ReadLogArgs {
  accountId: string;
  taskId: string;
  /** Events after this number. */
  afterSeq: number;
  limit: number;
}

/** A range of the log in order, including internal events. */
export const readLog: StoreOperation<ReadLogArgs, LoggedEvent[]> = {
  name: 'events.readLog',
  access: 'read',
  *run({ accountId, taskId, afterSeq, limit }) {
    const rows = yield* selectAll(
      'SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      accountId,
      taskId,
      afterSeq,
      limit,
    );
    return rows.map(readEvent);
  },
};

export interface ReadShownArgs extends TaskKey {
  order: 'asc' | 'desc';
  isVerbose: boolean;
  /** Exclusive: events after this number in the requested order; null starts at the beginning of that order. */
  fromSeq: number | null;
  limit: number;
}

const readingOrders = {
  asc: { after: '>', direction: 'ASC', start: 0 },
  desc: { after: '<', direction: 'DESC', start: Number.MAX_SAFE_INTEGER },
} as const;

const shownToEveryone = { index: 'INDEXED BY events_shown', audience: 'audience = 1' };
const shownInVerbose = { index: '', audience: 'audience > 0' };

/** Selects a page of events by key, so its cost does not grow with the log. */
export function selectShown(columnList: string, { order, isVerbose, fromSeq, limit, ...key }: ReadShownArgs) {
  const { after, direction, start } = readingOrders[order];
  const { index, audience } = isVerbose ? shownInVerbose : shownToEveryone;
  const { where, params, hasRights } = matchTask(key);
  return selectAll(
    `SELECT ${columnList} FROM events ${index} WHERE account_id = ? AND task_id = ? AND seq ${after} ? AND ${audience}
       ${hasRights ? `AND EXISTS (SELECT 1 FROM tasks t WHERE ${where})` : ''} ORDER BY seq ${direction} LIMIT ?`,
    key.accountId,
    key.taskId,
    fromSeq ?? start,
    ...(hasRights ? params : []),
    limit,
  );
}

/** The next events that clients may see. */
export const readShown: StoreOperation<ReadShownArgs, LoggedEvent[]> = {
  name: 'events.readShown',
  access: 'read',
  *run(args) {
    return (yield* selectShown('seq, at, type, body', args)).map(readEvent);
  },
};

/** The number of the last event of each of these tasks, null for one that does not exist. Rights in the keys are not checked. */
export const readLastSeqs: StoreOperation<readonly TaskKey[], (number | null)[]> = {
  name: 'events.readLastSeqs',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const padded = padToPowerOfTwo(tasks);
    const rows = yield* selectAll(
      `SELECT account_id, id, last_seq FROM tasks WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
      ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
    );
    const found = new Map(rows.map((row) => [`${taskRow.account_id(row)} ${taskRow.id(row)}`, taskRow.last_seq(row)]));
    return tasks.map(({ accountId, taskId }) => found.get(`${accountId} ${taskId}`) ?? null);
  },
};
