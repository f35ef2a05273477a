import { QueryClient } from '@tanstack/react-query';

/**
 * Responses are fresh for a few seconds, so that going back and forth requests nothing. Retries are left to the client itself, which knows
 * how long the service asks to wait.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, gcTime: 600_000, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
