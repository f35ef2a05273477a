import type { Incoming } from '../platform/chat-platform.ts';

/** One update of the Bot API. */
export interface TelegramUpdate {
  updateId: number;
  /** Null for news that say nothing to the service. */
  incoming: Incoming | null;
  /** What the messages of one album have in common. */
  album: string | null;
}

/** As many messages as Telegram makes of one album at most. */
const largestAlbum = 10;

function keyOf({ incoming, album, updateId }: TelegramUpdate): string {
  return album === null ? String(updateId) : `${incoming?.chat} ${album}`;
}

/** Updates by what belongs together, in the order of the last of each. */
function group(updates: readonly TelegramUpdate[]): TelegramUpdate[][] {
  const groups = Map.groupBy(updates, keyOf);
  return [...groups.values()].toSorted((a, b) => (a.at(-1)?.updateId ?? 0) - (b.at(-1)?.updateId ?? 0));
}

/** Whether more of an album may still come. */
export function hasOpenAlbum(updates: readonly TelegramUpdate[]): boolean {
  return group(updates.filter(({ album }) => album !== null)).some((parts) => parts.length < largestAlbum);
}

/** How many of these are parts of albums; more of them than a moment ago means that one is still coming in. */
export function countAlbumParts(updates: readonly TelegramUpdate[]): number {
  return updates.filter(({ album }) => album !== null).length;
}

function join(parts: readonly TelegramUpdate[]): Incoming | null {
  const news = parts.flatMap(({ incoming }) => incoming ?? []);
  const [first] = news;
  if (!first || news.length === 1) return first ?? null;
  const said = news.flatMap((each) => (each.said.kind === 'message' ? [each.said] : []));
  const text = said.map((each) => each.text).filter((each) => each.trim() !== '');
  return {
    ...first,
    // An album of which more came in the meantime is other news: what came late must not be taken for a repetition.
    id: `${first.id}-${news.at(-1)?.id}`,
    said: { kind: 'message', text: text.join('\n\n'), files: said.flatMap(({ files }) => files) },
  };
}

/**
 * What the updates say, an album as one message with several files. `confirmed` is the update up to which nothing is left to be
 * taken once this one is, or null where an earlier one still is: a reader that stops there receives all the others again.
 */
export function gatherNews(updates: readonly TelegramUpdate[]): { incoming: Incoming | null; confirmed: number | null }[] {
  const groups = group(updates);
  return groups.map((parts, index) => {
    const left = groups.slice(index + 1).flatMap((later) => later.map(({ updateId }) => updateId));
    const last = Math.max(...parts.map(({ updateId }) => updateId));
    return { incoming: join(parts), confirmed: left.every((updateId) => updateId > last) ? last : null };
  });
}
