import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';

/** Nothing tells a browser of changes in tasks of others. */
const pollMs = 15_000;

/** The tasks that teammates have handed over, newest first, as a growing list. */
export function useAssignedTasks(isEnabled: boolean) {
  return usePages(keys.assignedTasks, {
    fetchPage: (cursor, signal) => errand.task.listAssigned({ limit: 50, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: pollMs,
    enabled: isEnabled,
  });
}
