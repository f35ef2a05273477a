import { queryOptions } from '@tanstack/react-query';
import { errand } from './errand.ts';
import { keys } from './query-keys.ts';

/** The credit balance by kind. */
export const creditsQuery = queryOptions({
  queryKey: keys.credits,
  queryFn: async ({ signal }) => (await errand.usage.availableCredits({}, { signal })).data,
  refetchInterval: 60_000,
});

export const projectsQuery = queryOptions({
  queryKey: keys.projects,
  queryFn: async ({ signal }) => (await errand.project.list({}, { signal })).data,
  staleTime: 60_000,
});

export const connectorsQuery = queryOptions({
  queryKey: keys.connectors,
  queryFn: async ({ signal }) => (await errand.connector.list({}, { signal })).data,
  staleTime: 60_000,
  // A server that is slow to answer connects within a minute.
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'connecting') ? 5000 : false),
});

/** The skills that tasks may use, including those of a project. */
export function skillsQuery(projectId?: string) {
  return queryOptions({
    queryKey: keys.skills(projectId),
    queryFn: async ({ signal }) =>
      (await errand.skill.list(projectId === undefined ? {} : { project_id: projectId }, { signal })).data,
    staleTime: 60_000,
  });
}
