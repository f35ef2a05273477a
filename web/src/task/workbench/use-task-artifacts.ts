import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { errand } from '../../api/errand.ts';

/** A task with more shows the newest. */
const mostArtifacts = 100;

/** What a task has made, as the library has it. Fetched again when `occasion` changes. */
export function useTaskArtifacts(taskId: string | null, occasion: string) {
  const { data } = useQuery({
    queryKey: ['artifacts-of', taskId, occasion],
    queryFn: async ({ signal }) =>
      taskId === null ? [] : (await errand.artifact.list({ task_id: taskId, limit: mostArtifacts }, { signal })).data,
    placeholderData: keepPreviousData,
  });
  return data ?? [];
}
