import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from './query-keys.ts';
import { callWeb } from './web-call.ts';

export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: ({ signal }) => callWeb('session.show', {}, { signal }),
  staleTime: 60_000,
});

/** Who is signed in. Signed-out people are sent to the sign-in page, except on pages for everybody. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Ends the session of this browser. What the page knows goes with it, because the whole page is left. */
export async function signOut(): Promise<void> {
  await callWeb('session.delete', {});
  window.location.assign('/sign-in');
}
