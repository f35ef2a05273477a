import { type Clock, pause } from '@errand/base/clock.ts';
import type { Connection, StreamItem } from './connection.ts';
import { CommandFault } from './exit-code.ts';
import { TaskTurn } from './task-turn.ts';
import { ConnectionLost } from './transport.ts';

/** How long a service that has gone away is waited for. */
const patienceMs = 120_000;
const firstDelayMs = 500;
const longestDelayMs = 5_000;

export interface TaskListener {
  /** Every event once and in order, and deltas between them. */
  onItem(item: StreamItem): void;
  /** The connection broke; it is tried again, perhaps several times. */
  onTrouble(problem: string): void;
}

interface FollowOptions extends TaskListener {
  clock: Clock;
  signal: AbortSignal;
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionLost ||
    (error instanceof CommandFault && ['unavailable', 'resource_exhausted'].includes(error.code))
  );
}

/** True when the log holds nothing behind what was read: an old `stopped` of a task that went on is not its end. */
async function isNewest(connection: Connection, taskId: string, eventId: string | null): Promise<boolean> {
  const { messages } = await connection.call('task.listMessages', { task_id: taskId, limit: 1, verbose: true });
  return messages[0] === undefined || messages[0].id === eventId;
}

/** Reads one stream to its end; true when the turn has ended with it. */
async function readStream(connection: Connection, taskId: string, turn: TaskTurn, options: FollowOptions): Promise<boolean> {
  const ended = new AbortController();
  try {
    const signal = AbortSignal.any([options.signal, ended.signal]);
    for await (const item of connection.stream(taskId, turn.lastEventId, signal)) {
      if (item.kind === 'event') turn.read(item.event);
      options.onItem(item);
      if (item.kind === 'event' && turn.isOver && (await isNewest(connection, taskId, turn.lastEventId))) return true;
    }
    return false;
  } finally {
    ended.abort();
  }
}

/**
 * Follows a task until its turn ends or the signal aborts. A connection that breaks is taken up again behind the last event,
 * so that nothing is missed or told twice. Throws what cannot be waited out.
 */
export async function followStream(connection: Connection, taskId: string, options: FollowOptions): Promise<TaskTurn> {
  const { clock, signal } = options;
  const turn = new TaskTurn();
  let delayMs = firstDelayMs;
  let troubleSince: number | null = null;
  while (!signal.aborted) {
    const place = turn.lastEventId;
    let problem = 'the service ended the stream';
    try {
      if (await readStream(connection, taskId, turn, options)) return turn;
      // A task that was deleted and a key that was revoked end a stream too, and tell so here.
      await connection.call('task.detail', { task_id: taskId });
    } catch (error) {
      if (signal.aborted) break;
      if (!isPassing(error)) throw error;
      problem = (error as Error).message;
    }
    const isNew = troubleSince === null || place !== turn.lastEventId;
    if (isNew) {
      delayMs = firstDelayMs;
      troubleSince = clock.monotonic();
      options.onTrouble(problem);
    }
    if (clock.monotonic() - (troubleSince ?? 0) > patienceMs) throw new CommandFault(`${problem}; the task itself may go on`);
    await pause(clock, delayMs, signal);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
  return turn;
}
