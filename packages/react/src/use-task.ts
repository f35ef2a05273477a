import type { Response } from '@errand/client';
import { useCallback, useEffect, useState } from 'react';
import type { TaskAccess } from './task-access.ts';
import { toError, useErrand } from './use-errand.ts';

/** A task as `task.detail` shows it. */
export type Task = Response<'task.detail'>['task'];

/** A task, and what can be done with it. */
export interface TaskState {
  /** The task as last read; null until the first read. */
  task: Task | null;
  /** Why it could not be read the last time. */
  error: Error | null;
  /** Reads it again. */
  refresh(): void;
  /** Sends a message: an answer to its question, or what to do next. The token needs the right `answer`. */
  send(text: string): Promise<void>;
}

interface Found extends Pick<TaskState, 'task' | 'error'> {
  /** The task of which it tells, and after how many requests to read it again. */
  of: string;
  asked: number;
}

/** Reads a task; the token needs the right `read`. It is read once: follow it with `useTaskStream`, or call `refresh`. */
export function useTask(access: TaskAccess): TaskState {
  const { taskId } = access;
  const errand = useErrand(access);
  const [found, setFound] = useState<Found>({ of: taskId, asked: 0, task: null, error: null });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (read: Task | null, error: Error | null) => {
      if (signal.aborted) return;
      setFound((last) => ({ of: taskId, asked, task: read ?? (last.of === taskId ? last.task : null), error }));
    };
    errand()
      .task.detail({ task_id: taskId }, { signal })
      .then(
        ({ task }) => show(task, null),
        (error: unknown) => show(null, toError(error)),
      );
    return () => leaving.abort();
  }, [errand, taskId, asked]);
  const refresh = useCallback(() => setAsked((times) => times + 1), []);
  const send = useCallback(
    async (text: string) => {
      await errand().task.sendMessage({ task_id: taskId, message: { content: text } });
    },
    [errand, taskId],
  );
  const { task, error } = found.of === taskId ? found : { task: null, error: null };
  return { task, error, refresh, send };
}
