import { type InboxItem } from '@errand/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { errand } from './errand.ts';
import { useIsListLive } from './list-watch.ts';
import { keys } from './query-keys.ts';
import { useSession } from './session.ts';

/** Task lists tell when own tasks begin to wait; items that teammates assign are only polled. */
const liveMs = 60_000;
const quietMs = 15_000;

/** How often the inbox is read while the page is visible. */
export function useInboxInterval(): number {
  return useIsListLive() ? liveMs : quietMs;
}

const mostCounted = 100;

/** The first items of the inbox, for their number. */
const countQuery = queryOptions({
  queryKey: [...keys.inbox, 'count'],
  queryFn: ({ signal }) => errand.inbox.list({ limit: mostCounted }, { signal }),
});

/** Whether this account may decide an item: its owner always, a teammate if it is assigned to them. */
export function mayDecide({ owner, assignee }: InboxItem, accountId: string | undefined): boolean {
  return owner === accountId || assignee === accountId;
}

/** How many items wait for the user, and whether there may be more of them. */
export function useInboxCount(): { count: number; isMore: boolean } {
  const accountId = useSession().data?.account.id;
  const { data } = useQuery({ ...countQuery, refetchInterval: useInboxInterval(), enabled: accountId !== undefined });
  const own = data?.data.filter((item) => mayDecide(item, accountId) && (item.assignee ?? accountId) === accountId) ?? [];
  return { count: own.length, isMore: data?.has_more === true };
}
