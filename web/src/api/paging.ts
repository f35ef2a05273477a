import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

/** A page of any list of the API. */
export interface ListPage<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor?: string;
}

export interface PagesOptions<Item> {
  /** Reads the page at the cursor; without one, the first page. */
  fetchPage(cursor: string | undefined, signal: AbortSignal): Promise<ListPage<Item>>;
  /** The polling interval while the page is visible; false for never. */
  refetchInterval?: number | false;
  enabled?: boolean;
}

/** A list that grows with `fetchMore` until `hasMore` is false. */
export function usePages<Item>(queryKey: readonly unknown[], { fetchPage, refetchInterval, enabled = true }: PagesOptions<Item>) {
  const query = useInfiniteQuery<ListPage<Item>, Error, InfiniteData<ListPage<Item>>, readonly unknown[], string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
    refetchInterval: refetchInterval ?? false,
    enabled,
  });
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return {
    items,
    error: query.error,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: query.fetchNextPage,
    refetch: query.refetch,
  };
}
