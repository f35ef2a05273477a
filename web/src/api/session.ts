import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from './query-keys.ts';
import { callWeb } from './web-call.ts';

const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: ({ signal }) => callWeb('session.show', {}, { signal }),
  staleTime: 60_000,
});

/** The signed-in user. Signed-out users are redirected to the sign-in page, except on public pages. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Ends the session of this browser. Leaves the page, which clears all cached data. */
export async function signOut(): Promise<void> {
  await callWeb('session.delete', {});
  window.location.assign('/sign-in');
}
