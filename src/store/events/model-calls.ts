import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { type StoreOperation, selectAll } from '../db/store-operation.ts';
import { readEvent } from './events.ts';

/** The most events to search. A step is rarely farther from the call that led to it, and longer searches would read whole logs. */
const farthest = 500;

export interface FindModelCallArgs {
  accountId: string;
  taskId: string;
  /** The last event to look at. */
  seq: number;
}

/** The end of the newest model call up to an event, preceded by its start if it is near. */
export const findModelCall: StoreOperation<FindModelCallArgs, LoggedEvent[]> = {
  name: 'events.findModelCall',
  access: 'read',
  *run({ accountId, taskId, seq }) {
    const find = (types: string, last: number) =>
      selectAll(
        `SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq <= ? AND seq > ?
           AND type IN (${types}) ORDER BY seq DESC LIMIT 1`,
        accountId,
        taskId,
        last,
        last - farthest,
      );
    const [ended] = (yield* find(`'model_finished', 'extract_finished'`, seq)).map(readEvent);
    if (!ended) return [];
    const [started] = (yield* find(`'model_started', 'extract_started'`, ended.seq)).map(readEvent);
    return started ? [started, ended] : [ended];
  },
};
