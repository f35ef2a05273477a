import type { Errand } from '@errand/client';
import { useEffect, useState } from 'react';
import type { TaskAccess } from './task-access.ts';
import { createLogReader, emptyLog, type TaskLog } from './task-log.ts';
import { toError, useErrand } from './use-errand.ts';

/** A task as it happens. */
export interface TaskStream extends TaskLog {
  /** Why it cannot be followed any more: it was deleted, or the token does not open it. */
  error: Error | null;
  /** False while a lost connection is being reopened. */
  isConnected: boolean;
}

const start: TaskStream = { ...emptyLog, error: null, isConnected: true };

/** Shows each state of the task until the signal ends it. */
export async function followTask(
  errand: Errand,
  taskId: string,
  signal: AbortSignal,
  show: (change: Partial<TaskStream>) => void,
) {
  const read = createLogReader();
  let log = emptyLog;
  show(start);
  try {
    const onReconnect = () => show({ isConnected: false });
    // A task at rest may send its next event in days.
    const onConnected = () => show({ isConnected: true });
    for await (const item of errand.streamTask(taskId, { deltas: true, signal, onReconnect, onConnected })) {
      log = read(log, item);
      show(log);
    }
  } catch (error) {
    show({ error: toError(error), isConnected: false });
  }
}

/**
 * Follows a task: every event once and in order, and the reply as it is written. A lost connection is reopened after the last event. The
 * token needs the right `stream`.
 */
export function useTaskStream(access: TaskAccess): TaskStream {
  const { taskId } = access;
  const errand = useErrand(access);
  const [stream, setStream] = useState(start);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    void followTask(errand(), taskId, signal, (change) => {
      if (!signal.aborted) setStream((last) => ({ ...last, ...change }));
    });
    return () => leaving.abort();
  }, [errand, taskId]);
  return stream;
}
