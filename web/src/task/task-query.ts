import type { Task } from '@errand/client';
import { queryOptions } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';

/** What is known of a task beside its conversation. */
export function taskQuery(taskId: string) {
  return queryOptions({
    queryKey: keys.task(taskId),
    queryFn: async ({ signal }): Promise<Task> => (await errand.task.detail({ task_id: taskId }, { signal })).task,
    staleTime: 5_000,
  });
}
