import type { Errand } from '@errand/client';
import { useCallback, useEffect, useRef } from 'react';
import { openTask, type TaskAccess, type TokenSource } from './task-access.ts';

interface OpenTask {
  baseUrl: string;
  taskId: string;
  given: string | null;
  errand: Errand;
}

/**
 * The client of a task, for effects and events. It stays the same until the service, the task, or a token given as text changes. A function
 * that gets tokens may change at each rendering: the newest is called.
 */
export function useErrand({ baseUrl, taskId, token }: TaskAccess): () => Errand {
  const newest = useRef<TokenSource>(token);
  const open = useRef<OpenTask | null>(null);
  const given = typeof token === 'string' ? token : null;
  useEffect(() => {
    newest.current = token;
  }, [token]);
  return useCallback(() => {
    const last = open.current;
    // A token opens one task: what is known for another is of no use.
    if (last?.baseUrl === baseUrl && last.taskId === taskId && last.given === given) return last.errand;
    const ask = () => (typeof newest.current === 'string' ? newest.current : newest.current());
    const errand = openTask(baseUrl, given ?? ask);
    open.current = { baseUrl, taskId, given, errand };
    return errand;
  }, [baseUrl, taskId, given]);
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
