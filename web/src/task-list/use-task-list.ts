import type { Task } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useIsListLive } from '../api/list-watch.ts';
import { usePages } from '../api/paging.ts';
import { queryClient } from '../api/query-client.ts';
import { keys, type TaskFilter } from '../api/query-keys.ts';
import { type ListedTask, mergeNewest } from '../api/task-cache.ts';
import { callWeb } from '../api/web-call.ts';

const pageSize = 50;
const busyMs = 3_000;
const quietMs = 15_000;
/** The polling interval while live updates arrive; covers what they leave out, such as tasks of filtered lists. */
const liveMs = 60_000;

/** Words are found a second or two after they were written. */
const searchMs = 5_000;

/** The query key of the newest page of a list, which is polled. */
export function newestTasksKey(filter: TaskFilter) {
  return [...keys.newestTasks, filter] as const;
}

function isBusy(tasks: readonly Task[] | undefined): boolean {
  return tasks?.some((task) => task.status === 'running') ?? false;
}

/**
 * The tasks matching a filter, newest first, as a growing list. While the page is visible, live updates keep the newest current; without
 * them, the newest page is polled every few seconds. Older pages stay as loaded.
 */
export function useTaskList(filter: TaskFilter) {
  const queryKey = keys.taskList(filter);
  const isWatched = useIsListLive();
  // Subtasks of an agent may be missing from the watched list.
  const isLive = isWatched && filter.agent_id === undefined;
  const fetchPage = (cursor: string | undefined, signal: AbortSignal) =>
    callWeb('task.search', { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal });
  const pages = usePages<ListedTask>(queryKey, { fetchPage });
  const chooseIntervalMs = (tasks: readonly Task[] | undefined) => {
    if (filter.text !== undefined) return searchMs;
    if (isLive) return liveMs;
    return isBusy(tasks) ? busyMs : quietMs;
  };
  useQuery({
    queryKey: newestTasksKey(filter),
    queryFn: async ({ signal }) => {
      const { data } = await fetchPage(undefined, signal);
      queryClient.setQueryData<Parameters<typeof mergeNewest>[0]>(queryKey, (known) => mergeNewest(known, data));
      return data;
    },
    enabled: !pages.isPending,
    staleTime: isLive ? liveMs : 0,
    refetchInterval: ({ state }) => (state.error === null ? chooseIntervalMs(state.data) : busyMs),
  });
  return pages;
}
