import { isUnspaced, isWanted, listWords, type Query, runs } from './words.ts';

/** A part of a text; `isMatch` if it is one of the words looked for. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/** The parts of an unspaced run: characters of the words looked for, and the others. */
function* splitRun(run: string, query: Query): Generator<SnippetPart> {
  const wanted = [...query.words, ...(query.beginning === null ? [] : [query.beginning])].filter((word) => run.includes(word));
  for (let at = 0; at < run.length; ) {
    const word = wanted.find((one) => run.startsWith(one, at));
    const next = word === undefined ? at + ((run.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) : at + word.length;
    yield { text: run.slice(at, next), isMatch: word !== undefined };
    at = next;
  }
}

/** All parts of a text in order. */
function* splitText(text: string, query: Query): Generator<SnippetPart> {
  let end = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (index > end) yield { text: text.slice(end, index), isMatch: false };
    end = index + run.length;
    if (isUnspaced(run)) yield* splitRun(run, query);
    else yield { text: run, isMatch: [...listWords(run)].some((word) => isWanted(word, query)) };
  }
  if (end < text.length) yield { text: text.slice(end), isMatch: false };
}

const lengthBefore = 48;
const lengthInAll = 180;

/** A short passage around the first word looked for, in one line; the beginning of the text if none occurs. */
export function cutSnippet(text: string, query: Query): SnippetPart[] {
  const parts = [...splitText(text.toWellFormed().replaceAll(/\s+/gu, ' ').trim(), query)];
  const first = Math.max(
    0,
    parts.findIndex(({ isMatch }) => isMatch),
  );
  let from = first;
  for (let length = 0; from > 0; from -= 1) {
    length += parts[from - 1]?.text.length ?? 0;
    if (length > lengthBefore) break;
  }
  const kept: SnippetPart[] = from > 0 ? [{ text: '…', isMatch: false }] : [];
  let [length, to] = [0, from];
  for (; to < parts.length && length < lengthInAll; to += 1) {
    const part = parts[to] ?? { text: '', isMatch: false };
    const last = kept.at(-1);
    if (last?.isMatch === part.isMatch) last.text += part.text;
    else kept.push({ ...part });
    length += part.text.length;
  }
  if (to < parts.length) kept.push({ text: '…', isMatch: false });
  return kept;
}
