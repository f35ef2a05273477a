import { toOneLine } from '@errand/base/text/one-line.ts';

/** The longest title, in characters (docs/reference/choices.md#limits). */
export const maxTitleLength = 200;

const longestAutoTitle = 60;
/** Limits of the examined line length and line count: the text may have hundreds of thousands of characters. */
const lineLength = maxTitleLength - 1;
const lineCount = 200;
const noWords = '…';

/** Fences, rules and table borders: lines of punctuation, and a code fence with its language. */
function isOrnament(line: string): boolean {
  return /^(```|~~~)/.test(line) || !/[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(line);
}

function stripBlockMarks(line: string): string {
  return line
    .replace(/^(?:>\s*)+/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, '');
}

function stripInlineMarks(line: string): string {
  return line
    .replaceAll(/!?\[([^[\]]{1,200})\]\([^()\s]{0,400}\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`+)(?=\S)(.{1,400}?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]{1,400})(?<=\S)\1(?![\p{L}\p{N}*_])/gu, '$2');
}

function* firstLines(text: string): Generator<string> {
  for (let start = 0, count = 0; start < text.length && count < lineCount; count++) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield text.slice(start, Math.min(stop, start + lineLength)).trim();
    start = stop + 1;
  }
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The length of the first `count` graphemes, or of all if there are fewer. */
function measureCharacters(title: string, count: number): number {
  // The segmenter is slow, and most titles have nothing for it to find.
  if (!/[^ -~]/.test(title.slice(0, count))) return Math.min(title.length, count);
  let seen = 0;
  for (const { index } of segmenter.segment(title)) if (seen++ === count) return index;
  return title.length;
}

/** Truncates between graphemes, at the end of a word if one is near. */
function cutTitle(title: string): string {
  if (title.length <= longestAutoTitle || measureCharacters(title, longestAutoTitle) === title.length) return title;
  const cut = title.slice(0, measureCharacters(title, longestAutoTitle - 1));
  const wordEnd = cut.lastIndexOf(' ');
  return `${cut.slice(0, wordEnd > cut.length / 2 ? wordEnd : cut.length).trimEnd()}…`;
}

/**
 * A title for a task without one: the first meaningful line of its message, without Markdown, at most 60 graphemes. Never empty; a
 * message without words yields `…`.
 */
export function autoTitle(text: string): string {
  for (const line of firstLines(text)) {
    if (isOrnament(line)) continue;
    const title = toOneLine(stripInlineMarks(stripBlockMarks(line)));
    if (title !== '') return cutTitle(title);
  }
  return cutTitle(toOneLine(text.slice(0, lineLength))) || noWords;
}

/** Marks that change the direction or the meaning of text without being seen. */
const unseenMarks = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const quoted = /^["'“”„‘«»「『]([^"“”„«»「」『』]+)["'“”’«»」』]$/u;
/** Much more than a title; a model may send anything. */
const mostGiven = 2000;

/**
 * The title that an agent gives its task, from what a model sent: its first meaningful line, without Markdown, quotes around it, and unseen
 * marks, at most 60 graphemes; null without words.
 */
export function readAgentTitle(text: string): string | null {
  const title = autoTitle(text.slice(0, mostGiven).replaceAll(unseenMarks, ''));
  const bare = (quoted.exec(title)?.[1] ?? title).trim();
  return isOrnament(bare) ? null : bare;
}
