import { queryOptions } from '@tanstack/react-query';
import { keys } from './query-keys.ts';
import { callWeb } from './web-call.ts';

/** Ownership and creation settings of a task, and whether it waits for a worker. */
export function taskShowQuery(taskId: string) {
  return queryOptions({
    queryKey: [...keys.taskShows, taskId],
    queryFn: ({ signal }) => callWeb('task.show', { task_id: taskId }, { signal }),
    staleTime: 5_000,
  });
}
