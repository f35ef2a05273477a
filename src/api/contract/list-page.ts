import { openCursor, sealCursor } from './cursor.ts';

interface PageEnd {
  has_more: boolean;
  next_cursor?: string;
}

interface Page<Item> {
  items: Item[];
  end: PageEnd;
}

export interface ListPageRequest {
  /** The query that the cursor is bound to. */
  query: readonly unknown[];
  cursor: string | undefined;
  limit: number;
}

/** Where a page starts: the position in its cursor, null for the beginning. */
export function startOfPage({ query, cursor }: Pick<ListPageRequest, 'query' | 'cursor'>): string | null {
  return cursor === undefined ? null : openCursor(query, cursor);
}

/** The end of a page, from the position of its last item if more follow, and null otherwise. */
export function endOfPage({ query }: Pick<ListPageRequest, 'query'>, position: string | null): PageEnd {
  return position === null ? { has_more: false } : { has_more: true, next_cursor: sealCursor(query, position) };
}

/**
 * One page of a keyset list.
 * @param read reads up to `limit` items after a position, null for the beginning
 * @param positionOf an item's position for the cursor
 */
export async function readListPage<Item>(
  request: ListPageRequest,
  read: (position: string | null, limit: number) => Promise<Item[]>,
  positionOf: (item: Item) => string,
): Promise<Page<Item>> {
  const { limit } = request;
  const found = await read(startOfPage(request), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, end: endOfPage(request, hasMore ? positionOf(last) : null) };
}
