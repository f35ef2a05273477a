import type { Task } from '@errand/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from '../api/paging.ts';
import { queryClient } from '../api/query-client.ts';
import { keys } from '../api/query-keys.ts';

/** The tasks loaded so far, newest first. */
export function listKnownTasks(): Task[] {
  const data = queryClient.getQueryData<InfiniteData<ListPage<Task>>>(keys.taskList({}));
  return data?.pages.flatMap((page) => page.data) ?? [];
}

/** The task this many places after the current one in the list (before it if negative); the newest if there is no current one. */
export function findAdjacentTask(tasks: readonly { id: string }[], taskId: string | null, step: number): string | null {
  const at = tasks.findIndex(({ id }) => id === taskId);
  if (at === -1) return tasks[0]?.id ?? null;
  return tasks[at + step]?.id ?? null;
}
