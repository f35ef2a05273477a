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
