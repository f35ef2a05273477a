import { openCursor, sealCursor } from './cursor.ts';

interface Page<Item> {
  items: Item[];
  end: { has_more: boolean; next_cursor?: string };
}

export interface ListPageRequest {
  /** The query that the cursor is bound to. */
  query: readonly unknown[];
  cursor: string | undefined;
  limit: number;
}

/**
 * One page of a keyset list.
 * @param read reads up to `limit` items after a position, null for the beginning
 * @param positionOf an item's position for the cursor
 */
export async function readListPage<Item>(
  { query, cursor, limit }: ListPageRequest,
  read: (position: string | null, limit: number) => Promise<Item[]>,
  positionOf: (item: Item) => string,
): Promise<Page<Item>> {
  const found = await read(cursor === undefined ? null : openCursor(query, cursor), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length <= limit || last === undefined) return { items, end: { has_more: false } };
  return { items, end: { has_more: true, next_cursor: sealCursor(query, positionOf(last)) } };
}
