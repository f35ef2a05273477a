/**
 * The words by which tasks are found. They are the same for what is stored and for what is looked for, on every machine and with every
 * version of its language data: a stored word is compared bytewise.
 */

/** Scripts without spaces between words: each two neighbouring characters are a word, and so is the last one. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
const letters = String.raw`[\p{L}\p{N}\p{M}]`;
/** Finds the runs of letters and digits in a text; everything between them separates words. */
export const runs = new RegExp(`[${unspaced}&&${letters}]+|[${letters}--${unspaced}]+`, 'gv');
const startsUnspaced = new RegExp(`^${unspaced}`, 'v');

/** Whether a run is of a script without spaces between words. */
export function isUnspaced(run: string): boolean {
  return startsUnspaced.test(run);
}

/** Accents and other marks above and below letters of European scripts. */
const accents = /[\u0300-\u036f]/g;

/** Longer words count only up to this length, in UTF-16 units. */
export const longestWord = 32;

/** A text without differences of case, accents, and width. */
function fold(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(accents, '')
    .normalize('NFC');
}

function cut(word: string): string {
  return word.slice(0, longestWord).toWellFormed().replaceAll('\ufffd', '');
}

/** The words of an unspaced run of characters. */
function* pairsOf(run: string, hasLast: boolean): Generator<string> {
  const chars = Array.from(run);
  for (let at = 0; at + 1 < chars.length; at += 1) yield `${chars[at] ?? ''}${chars[at + 1] ?? ''}`;
  if (hasLast || chars.length === 1) yield chars.at(-1) ?? '';
}

/** The words of a text in order, repeated as often as they occur. */
export function* listWords(text: string): Generator<string> {
  for (const [run] of fold(text).matchAll(runs)) {
    if (isUnspaced(run)) yield* pairsOf(run, true);
    else yield cut(run);
  }
}

/** The distinct words of a text, the first `limit` of them. */
export function collectWords(text: string, limit: number): string[] {
  const words = new Set<string>();
  for (const word of listWords(text)) {
    if (words.size >= limit) break;
    words.add(word);
  }
  return [...words];
}

/** What somebody looks for: all of the words, of which `beginning` may be the beginning of a longer one. */
export interface Query {
  words: readonly string[];
  /** Null if the last word is too short to be a beginning. */
  beginning: string | null;
}

/** Further words are ignored. */
const mostQueryWords = 12;

/** One or two Latin letters or digits begin too many words. */
const tooShort = /^[a-z0-9]{1,2}$/;

/** Reads what was typed; null if it has no word. */
export function readQuery(text: string): Query | null {
  const words: string[] = [];
  for (const [run] of fold(text).matchAll(runs)) words.push(...(isUnspaced(run) ? pairsOf(run, false) : [cut(run)]));
  const used = words.slice(0, mostQueryWords);
  const last = used.at(-1);
  if (last === undefined) return null;
  const distinct = [...new Set(used.slice(0, -1))].filter((word) => word !== last);
  return tooShort.test(last) ? { words: [...distinct, last], beginning: null } : { words: distinct, beginning: last };
}

/** Whether a word is one of those looked for. */
export function isWanted(word: string, { words, beginning }: Query): boolean {
  return words.includes(word) || (beginning !== null && word.startsWith(beginning));
}
