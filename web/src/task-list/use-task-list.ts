import type { Task } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { listWatch } from '../api/list-watch.ts';
import { usePages } from '../api/paging.ts';
import { queryClient } from '../api/query-client.ts';
import { keys, type TaskFilter } from '../api/query-keys.ts';
import { mergeNewest } from '../api/task-cache.ts';
import { callWeb } from '../api/web-call.ts';

const pageSize = 50;
const busyMs = 3_000;
const quietMs = 15_000;
/** While changes come by themselves, this is for what they are silent about, such as a filter of words. */
const liveMs = 60_000;

/** The name of the newest page of a list, which is read again and again. */
export function newestTasksKey(filter: TaskFilter) {
  return [...keys.newestTasks, filter] as const;
}

function isBusy(tasks: readonly Task[] | undefined): boolean {
  return tasks?.some((task) => task.status === 'running') ?? false;
}

/**
 * The tasks of a filter, newest first, as a list that grows. While the page is visible, the service tells of changes among the
 * newest; while it does not, the newest page is read again every few seconds. The rest stays as it was read.
 */
export function useTaskList(filter: TaskFilter) {
  const queryKey = keys.taskList(filter);
  const isWatched = useSyncExternalStore(listWatch.subscribe, () => listWatch.isLive);
  // Subtasks of an agent may be hidden from the list that is watched.
  const isLive = isWatched && filter.agent_id === undefined;
  const fetchPage = (cursor: string | undefined, signal: AbortSignal) =>
    callWeb('task.search', { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal });
  const pages = usePages<Task>(queryKey, { fetchPage });
  const chooseIntervalMs = (tasks: readonly Task[] | undefined) => {
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
