import { queryOptions } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { type ApiDocument, readApi } from './api-document.ts';

/** The API of this service. It changes with the service alone, so it is loaded once. */
export const apiQuery = queryOptions({
  queryKey: keys.api,
  staleTime: Infinity,
  queryFn: async ({ signal }) => {
    const response = await fetch('/openapi.json', { signal });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return readApi((await response.json()) as ApiDocument);
  },
});
