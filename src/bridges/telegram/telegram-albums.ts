import type { Incoming } from '../platform/chat-platform.ts';

/** One update of the Bot API. */
export interface TelegramUpdate {
  updateId: number;
  /** Null for updates that do not concern the service. */
  incoming: Incoming | null;
  /** The common id of the messages of an album. */
  album: string | null;
}

/** Telegram's maximum number of messages in an album. */
const largestAlbum = 10;

function keyOf({ incoming, album, updateId }: TelegramUpdate): string {
  return album === null ? String(updateId) : `${incoming?.chat} ${album}`;
}

/** Groups updates by album, in the order of the last update of each. */
function group(updates: readonly TelegramUpdate[]): TelegramUpdate[][] {
  const groups = Map.groupBy(updates, keyOf);
  return [...groups.values()].toSorted((a, b) => (a.at(-1)?.updateId ?? 0) - (b.at(-1)?.updateId ?? 0));
}

/** Whether more of an album may still come. */
export function hasOpenAlbum(updates: readonly TelegramUpdate[]): boolean {
  return group(updates.filter(({ album }) => album !== null)).some((parts) => parts.length < largestAlbum);
}

/** How many of these are parts of albums; an increase means that one is still arriving. */
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
    // A grown album is a different update: the late parts must not be taken for a repetition.
    id: `${first.id}-${news.at(-1)?.id}`,
    said: { kind: 'message', text: text.join('\n\n'), files: said.flatMap(({ files }) => files) },
  };
}

/**
 * The content of the updates, with an album as one message with several files. `confirmed` is the update to acknowledge once this one is
 * handled, or null while an earlier one is open: a reader that stops there receives the others again.
 */
export function gatherNews(updates: readonly TelegramUpdate[]): { incoming: Incoming | null; confirmed: number | null }[] {
  const groups = group(updates);
  return groups.map((parts, index) => {
    const left = groups.slice(index + 1).flatMap((later) => later.map(({ updateId }) => updateId));
    const last = Math.max(...parts.map(({ updateId }) => updateId));
    return { incoming: join(parts), confirmed: left.every((updateId) => updateId > last) ? last : null };
  });
}
