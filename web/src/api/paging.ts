import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

/** A page of any list of the API. */
export interface ListPage<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor?: string;
}

/** All items of a list that is short by its nature. */
export async function readAll<Item>(fetchPage: (from: { cursor?: string }) => Promise<ListPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let from: { cursor?: string } = {}; ; ) {
    const page = await fetchPage(from);
    items.push(...page.data);
    if (!page.has_more || page.next_cursor === undefined) return items;
    from = { cursor: page.next_cursor };
  }
}

export interface PagesOptions<Item> {
  /** Reads the page at the cursor; without one, the first page. */
  fetchPage(cursor: string | undefined, signal: AbortSignal): Promise<ListPage<Item>>;
  /** The polling interval while the page is visible; false for never. With several pages loaded, it is for each of them. */
  refetchInterval?: number | false;
  enabled?: boolean;
}

/** Polling reads every page that is loaded: a long list is read less often, so that it costs no more than a short one. */
export function planIntervalMs(oneMs: number | false, loaded: number): number | false {
  return oneMs === false ? false : oneMs * Math.max(loaded, 1);
}

/** A list that grows with `fetchMore` until `hasMore` is false. */
export function usePages<Item>(
  queryKey: readonly unknown[],
  { fetchPage, refetchInterval = false, enabled = true }: PagesOptions<Item>,
) {
  const query = useInfiniteQuery<ListPage<Item>, Error, InfiniteData<ListPage<Item>>, readonly unknown[], string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
    refetchInterval: ({ state }) => planIntervalMs(refetchInterval, state.data?.pages.length ?? 0),
    enabled,
  });
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return {
    items,
    error: query.error,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    /** Whether the error is about more of it, not about what is loaded. */
    hasMoreFailed: query.isFetchNextPageError,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: query.fetchNextPage,
    refetch: query.refetch,
  };
}
