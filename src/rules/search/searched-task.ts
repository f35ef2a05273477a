/** What is stored of a task so that it can be found: its words, and the places in which they occur. */
import { createHash } from 'node:crypto';
import { collectWords, isWanted, type Query } from './words.ts';

/** Where something was found. */
export type PlaceKind = 'title' | 'message' | 'reply' | 'file';

/** A part of a task with its words. */
export interface Place {
  kind: PlaceKind;
  /** The event of a message or reply; 0 for a title or file. */
  seq: number;
  /** The artifact of a file; null for all others. */
  artifactId: string | null;
  /** The version of that artifact. */
  version: number;
  words: readonly string[];
}

/** A searched task as its row stores it. `words` is separated by spaces; each word begins with the mark of the account. */
export interface SearchedWords {
  words: string;
  places: readonly PackedPlace[];
}

/** A place in JSON: `w` are positions in the list of words. */
export interface PackedPlace {
  k: PlaceKind;
  s?: number;
  a?: string;
  v?: number;
  w: readonly number[];
}

/** How much of a text counts, in characters. Of longer ones, what stands behind this is not found. */
export const longestText = 20_000;
/** The most words of one place (`mostWordsOfPlace`) and of a task (`mostWords`). */
const mostWordsOfPlace = 1000;
const mostWords = 4000;
const mostPlaces = 200;

/** The mark before all words of an account: one account's searches cost nothing for what others have. Eight hexadecimal digits. */
export function markOf(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex').slice(0, 8);
}

/** The query of the index. Its words consist of letters and digits, so it has the same meaning for both databases. */
export function writeIndexQuery(accountId: string, { words, beginning }: Query): string {
  const mark = markOf(accountId);
  return [...words.map((word) => mark + word), ...(beginning === null ? [] : [`${mark}${beginning}*`])].join(' ');
}

interface SearchedMessage {
  text?: unknown;
  attachments?: readonly { filename: string }[];
  awaited?: readonly { filename: string }[];
}

/** What is searched of a message: its text and the names of its files. */
export function textOfMessage({ text, attachments = [], awaited = [] }: SearchedMessage): string {
  const names = [...attachments, ...awaited].map(({ filename }) => filename);
  return [typeof text === 'string' ? text : '', ...names].join(' ').trim();
}

/** A place of a text. */
export function createPlace(about: Omit<Place, 'words'>, text: string): Place {
  return { ...about, words: collectWords(text.slice(0, longestText), mostWordsOfPlace) };
}

/** The places in the bounds of a task: the title, then as many of the newest as fit. */
export function boundPlaces(places: readonly Place[]): Place[] {
  const words = new Set<string>();
  const kept: Place[] = [];
  const titles = places.filter(({ kind }) => kind === 'title');
  const others = places.filter(({ kind }) => kind !== 'title');
  for (const place of [...titles, ...others.toReversed()]) {
    if (kept.length >= mostPlaces || words.size + place.words.length > mostWords) break;
    for (const word of place.words) words.add(word);
    kept.push(place);
  }
  return [...kept.slice(0, titles.length), ...kept.slice(titles.length).toReversed()];
}

/** Packs places; words that were stored before keep their positions if all of them still occur. */
export function packPlaces(accountId: string, places: readonly Place[], former: readonly string[] = []): SearchedWords {
  const found = new Set(places.flatMap(({ words }) => words));
  const list = [...new Set([...former.filter((word) => found.has(word)), ...found])];
  const positions = new Map(list.map((word, at) => [word, at]));
  const mark = markOf(accountId);
  return {
    words: list.map((word) => mark + word).join(' '),
    places: places.map(({ kind, seq, artifactId, version, words }) => ({
      k: kind,
      ...(seq > 0 && { s: seq }),
      ...(artifactId !== null && { a: artifactId, v: version }),
      w: words.flatMap((word) => positions.get(word) ?? []),
    })),
  };
}

/** The stored words without their mark. */
export function unmark(words: string): string[] {
  return words === '' ? [] : words.split(' ').map((word) => word.slice(8));
}

/** Reverses `packPlaces`. */
export function unpackPlaces({ words, places }: SearchedWords): Place[] {
  const list = unmark(words);
  return places.map(({ k, s = 0, a = null, v = 0, w }) => ({
    kind: k,
    seq: s,
    artifactId: a,
    version: v,
    words: w.flatMap((at) => list[at] ?? []),
  }));
}

/** The place with the most of the words looked for; of several, the newest. Null if none has any. */
export function chooseBestPlace(stored: SearchedWords, query: Query): Omit<Place, 'words'> | null {
  const list = unmark(stored.words);
  const wanted = new Map(list.flatMap((word, at) => (isWanted(word, query) ? [[at, word] as const] : [])));
  const { words, beginning } = query;
  let best: PackedPlace | null = null;
  let bestCount = 0;
  for (const place of stored.places) {
    const found = place.w.flatMap((at) => wanted.get(at) ?? []);
    const beginnings = beginning !== null && found.some((word) => word.startsWith(beginning)) ? 1 : 0;
    const count = words.filter((word) => found.includes(word)).length + beginnings;
    if (count > 0 && count >= bestCount) [best, bestCount] = [place, count];
  }
  return best && { kind: best.k, seq: best.s ?? 0, artifactId: best.a ?? null, version: best.v ?? 0 };
}
