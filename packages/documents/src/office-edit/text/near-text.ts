import { findStarts } from '@errand/base/text/text-match.ts';

const shownLength = 160;

/** Folds characters that look alike: typographic quotes, dashes, kinds and lengths of spaces, letter case. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟″«»]/g, '"')
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\u00ad/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function quote(text: string): string {
  const line = text.trim();
  return JSON.stringify(line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`);
}

function wordsOf(text: string): Set<string> {
  return new Set(fold(text).match(/[\p{L}\p{N}]{3,}/gu));
}

/** The paragraph that shares most of the words, if it has half of them. */
function findSimilar(paragraphs: readonly string[], text: string): string | null {
  const wanted = wordsOf(text);
  let best = { text: '', shared: Math.max(1, Math.ceil(wanted.size / 2)) - 0.5 };
  for (const paragraph of paragraphs) {
    const own = wordsOf(paragraph);
    const shared = [...wanted].filter((word) => own.has(word)).length;
    if (shared > best.shared) best = { text: paragraph, shared };
  }
  return best.text === '' ? null : best.text;
}

/** Where a text that was searched for is probably meant. */
export function explainAbsence(paragraphs: readonly string[], text: string): string {
  const folded = fold(text);
  const alike = folded === '' ? undefined : paragraphs.find((each) => !findStarts(fold(each), folded, false).next().done);
  if (alike !== undefined) {
    return `is not in the document exactly; this differs in letter case, quotes, dashes, or spaces only: ${quote(alike)}`;
  }
  if (text.trim().includes('\n'))
    return 'is not in the document. A text to find lies within one paragraph: make one edit for each.';
  const similar = findSimilar(paragraphs, text);
  return similar === null
    ? 'is not in the document, nor anything like it. Read the file and copy the text from there.'
    : `is not in the document. The nearest paragraph reads ${quote(similar)}`;
}

/** The text around a place, to tell several apart. */
export function quotePlace(text: string, from: number, length: number): string {
  return quote(`${from > 30 ? '…' : ''}${text.slice(Math.max(0, from - 30), from + length + 30)}`);
}

/** Names in a line, not too many. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 60)));
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
