/**
 * How long a cursor of artifact.list works without being used, and from the first page on
 * (docs/reference/api.md#artifact-cursors).
 */
export const idleTtlMs = 5 * 60 * 1000;
export const absoluteTtlMs = 15 * 60 * 1000;
/** How many of its newest pages a traversal can give again. */
export const keptPages = 3;
/** How many traversals of one user are kept; the least recently used goes first. */
export const maxListCursors = 32;
export const maxPages = 2000;

/** A page as returned: its artifacts, and where the next page begins. */
export interface ServedPage {
  /** Counted from 1. */
  number: number;
  ids: readonly string[];
  /** The ID after which the next page begins; null on the last page. */
  position: string | null;
}

/** One reading of a list, page by page. A value. */
export interface ListCursor {
  /** Digest of everything its cursors are bound to: user, credential scope, filters and limit. */
  query: string;
  startedAtMs: number;
  usedAtMs: number;
  /** The newest pages, oldest first; never empty. */
  pages: readonly ServedPage[];
  /** Digests of the resource_uris that it has shown, each of which may be shown once. */
  shownResources: readonly string[];
}

export type ListCursorStep =
  | { do: 'produce'; number: number; position: string }
  | { do: 'replay'; page: ServedPage }
  | { do: 'refuse'; why: 'unknown' | 'expired' | 'gone' | 'exceeded' };

export function openListCursor(
  query: string,
  nowMs: number,
  page: Omit<ServedPage, 'number'>,
  resources: readonly string[],
): ListCursor {
  return {
    query,
    startedAtMs: nowMs,
    usedAtMs: nowMs,
    pages: [{ number: 1, ...page }],
    shownResources: resources,
  };
}

export function hasExpired({ startedAtMs, usedAtMs }: Pick<ListCursor, 'startedAtMs' | 'usedAtMs'>, nowMs: number): boolean {
  return nowMs - usedAtMs >= idleTtlMs || nowMs - startedAtMs >= absoluteTtlMs;
}

/** What the cursor of page `number` asks of a traversal (null: there is none of that name). */
export function planPage(listCursor: ListCursor | null, query: string, number: number, nowMs: number): ListCursorStep {
  const newest = listCursor?.pages.at(-1);
  if (!listCursor || !newest || listCursor.query !== query) return { do: 'refuse', why: 'unknown' };
  if (hasExpired(listCursor, nowMs)) return { do: 'refuse', why: 'expired' };
  const kept = listCursor.pages.find((page) => page.number === number);
  if (kept) return { do: 'replay', page: kept };
  if (number <= newest.number) return { do: 'refuse', why: 'gone' };
  // No cursor is ever given for a page behind the last one, or for one behind the next.
  if (number !== newest.number + 1 || newest.position === null) return { do: 'refuse', why: 'unknown' };
  if (number > maxPages) return { do: 'refuse', why: 'exceeded' };
  return { do: 'produce', number, position: newest.position };
}

/** The traversal after a use: with a new page, or with an earlier one replaced by what is left of it. */
export function savePage(listCursor: ListCursor, page: ServedPage, resources: readonly string[], nowMs: number): ListCursor {
  const isKept = listCursor.pages.some(({ number }) => number === page.number);
  const pages = isKept
    ? listCursor.pages.map((kept) => (kept.number === page.number ? page : kept))
    : [...listCursor.pages, page].slice(-keptPages);
  return { ...listCursor, usedAtMs: nowMs, pages, shownResources: [...listCursor.shownResources, ...resources] };
}

/** An item of a list that may represent an external resource. */
export interface Listed {
  id: string;
  resourceUri: string | null;
}

/** The items that may be shown: of several with one resource_uri the first, and none whose resource was shown before. */
export function dropShown<Item extends Listed>(
  items: readonly Item[],
  shownResources: readonly string[],
  digest: (resourceUri: string) => string,
): { items: Item[]; resources: string[] } {
  const shown = new Set(shownResources);
  const resources: string[] = [];
  const kept = items.filter(({ resourceUri }) => {
    if (resourceUri === null || resourceUri === '') return true;
    const name = digest(resourceUri);
    if (shown.has(name)) return false;
    shown.add(name);
    resources.push(name);
    return true;
  });
  return { items: kept, resources };
}
