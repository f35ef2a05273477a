import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { type StoreOperation, selectAll } from '../db/store-operation.ts';
import { readEvent } from './events.ts';

/** The most events to search. A step is rarely farther from the call that led to it, and longer searches would read whole logs. */
const farthest = 500;

/** The newest event of some types up to an event. */
const findNewest = ({ accountId, taskId, seq }: FindModelCallArgs, types: string) =>
  selectAll(
    `SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq <= ? AND seq > ?
       AND type IN (${types}) ORDER BY seq DESC LIMIT 1`,
    accountId,
    taskId,
    seq,
    seq - farthest,
  );

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
  *run(args) {
    const [ended] = (yield* findNewest(args, `'model_finished', 'extract_finished'`)).map(readEvent);
    if (!ended) return [];
    const [started] = (yield* findNewest({ ...args, seq: ended.seq }, `'model_started', 'extract_started'`)).map(readEvent);
    return started ? [started, ended] : [ended];
  },
};

/** What tells which call of a tool an event belongs to, or which one runs after it. */
const placesOfCalls = `'model_started', 'model_finished', 'tool_started', 'tool_finished', 'action_prepared', 'waiting', 'stopped', 'failed'`;

/** The newest event up to an event that tells which call of a tool runs, or that none does; undefined if none is near. */
export const findCallPlace: StoreOperation<FindModelCallArgs, LoggedEvent | undefined> = {
  name: 'events.findCallPlace',
  access: 'read',
  *run(args) {
    return (yield* findNewest(args, placesOfCalls)).map(readEvent)[0];
  },
};
