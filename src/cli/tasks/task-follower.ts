import { type Clock, pause } from '@errand/base/clock.ts';
import { CommandFault } from '../exit-code.ts';
import type { Connection, StreamItem } from '../transport/connection.ts';
import { ConnectionLost } from '../transport/transport.ts';
import { TaskTurn } from './task-turn.ts';

/** How long to retry while the service is unreachable. */
const reconnectTimeoutMs = 120_000;
const firstDelayMs = 500;
const longestDelayMs = 5_000;

/** Receives what happens in a task. */
export interface Listener {
  /** Called with every event once and in order, and with deltas between them. */
  onItem(item: StreamItem): void;
  /** Called when the connection is lost, before it is tried again. */
  onTrouble(problem: string): void;
}

interface FollowOptions extends Listener {
  clock: Clock;
  signal: AbortSignal;
}

/** Whether trying again may help. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionLost ||
    (error instanceof CommandFault && ['unavailable', 'resource_exhausted'].includes(error.code))
  );
}

/** True if the log holds nothing after the event: an old `stopped` of a task that resumed is not its end. */
async function isNewest(connection: Connection, taskId: string, eventId: string | null): Promise<boolean> {
  const { messages } = await connection.call('task.listMessages', { task_id: taskId, limit: 1, verbose: true });
  return messages[0] === undefined || messages[0].id === eventId;
}

/** Reads one stream to its end; true if the turn has ended with it. */
async function readStream(connection: Connection, taskId: string, turn: TaskTurn, options: FollowOptions): Promise<boolean> {
  const leave = new AbortController();
  try {
    const signal = AbortSignal.any([options.signal, leave.signal]);
    for await (const item of connection.stream(taskId, turn.lastEventId, signal)) {
      if (item.kind === 'event') turn.read(item.event);
      options.onItem(item);
      if (item.kind === 'event' && turn.isOver && (await isNewest(connection, taskId, turn.lastEventId))) return true;
    }
    return false;
  } finally {
    leave.abort();
  }
}

/**
 * Follows a task until its turn ends or the signal aborts. A lost connection resumes after the last event, so that nothing is
 * missed or repeated. Throws what waiting does not cure.
 */
export async function followTask(connection: Connection, taskId: string, options: FollowOptions): Promise<TaskTurn> {
  const { clock, signal } = options;
  const turn = new TaskTurn();
  let delayMs = firstDelayMs;
  let troubleSince: number | null = null;
  while (!signal.aborted) {
    const place = turn.lastEventId;
    let problem = 'the service ended the stream';
    try {
      if (await readStream(connection, taskId, turn, options)) return turn;
      // A deleted task and a revoked key end a stream, too; this call reports them.
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
    if (clock.monotonic() - (troubleSince ?? 0) > reconnectTimeoutMs)
      throw new CommandFault(`${problem}; the task itself may continue`);
    await pause(clock, delayMs, signal);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
  return turn;
}
