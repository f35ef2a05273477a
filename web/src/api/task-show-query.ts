import { queryOptions } from '@tanstack/react-query';
import { keys } from './query-keys.ts';
import { callWeb } from './web-call.ts';

/** Whose a task is, how it was made, and whether it waits for a worker. */
export function taskShowQuery(taskId: string) {
  return queryOptions({
    queryKey: [...keys.taskShows, taskId],
    queryFn: ({ signal }) => callWeb('task.show', { task_id: taskId }, { signal }),
    staleTime: 5_000,
  });
}
