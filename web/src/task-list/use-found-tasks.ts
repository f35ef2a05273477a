import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys } from '../api/query-keys.ts';
import type { ListedTask } from '../api/task-cache.ts';
import { callWeb } from '../api/web-call.ts';

/** The service is not asked on every keystroke. */
const debounceMs = 150;
const mostFound = 10;
const none: readonly ListedTask[] = [];

/** The newest tasks in which the words that are being typed occur; none before there are two characters. */
export function useFoundTasks(text: string): readonly ListedTask[] {
  const [applied, setApplied] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setApplied(text.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const isAsked = applied.length > 1;
  const { data } = useQuery({
    queryKey: keys.foundTasks(applied),
    queryFn: ({ signal }) => callWeb('task.search', { text: applied, limit: mostFound }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return isAsked && text.trim() !== '' ? (data?.data ?? none) : none;
}
