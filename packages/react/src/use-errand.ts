import type { Errand } from '@errand/client';
import { useCallback, useEffect, useRef } from 'react';
import { openTask, type TaskAccess, type TokenSource } from './task-access.ts';

/** For effects and events: the client of a service, the same until that changes, with whatever token is the newest. */
export function useErrand({ baseUrl, token }: Pick<TaskAccess, 'baseUrl' | 'token'>): () => Errand {
  const newest = useRef<TokenSource>(token);
  const open = useRef<{ baseUrl: string; errand: Errand } | null>(null);
  useEffect(() => {
    newest.current = token;
  }, [token]);
  return useCallback(() => {
    if (open.current?.baseUrl !== baseUrl) open.current = { baseUrl, errand: openTask(baseUrl, () => newest.current) };
    return open.current.errand;
  }, [baseUrl]);
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
