import type { Task } from '@errand/client';
import { queryOptions } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { findListedTask } from '../api/task-cache.ts';

/** Data of a task besides its conversation; until it is loaded, as cached from a list. */
export function taskQuery(taskId: string) {
  return queryOptions({
    queryKey: keys.task(taskId),
    queryFn: async ({ signal }): Promise<Task> => (await errand.task.detail({ task_id: taskId }, { signal })).task,
    placeholderData: () => findListedTask(taskId),
    staleTime: 5_000,
  });
}
