import { findStarts, lineAt } from '@errand/base/text/text-match.ts';

/** Shorter texts (a brace, a bare word) occur everywhere and prove nothing. */
const telling = 8;
const shownLines = 12;
const shownLineLength = 200;

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

function firstStart(text: string, part: string): number | null {
  return part === '' ? null : (findStarts(text, part, true).next().value ?? null);
}

function quoteLines(text: string, first: number, count: number): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .slice(first - 1, first - 1 + Math.min(count, shownLines));
  return lines.map((line, index) => `${first + index}\t${line.slice(0, shownLineLength)}`).join('\n');
}

/** The line where the same text occurs with different whitespace around its lines, or null. */
function findLoosely(text: string, part: string): number | null {
  const wanted = trimLines(part.trim());
  if (wanted === '') return null;
  // Anchored at line breaks, so that only whole lines count.
  const lines = `\n${trimLines(text)}\n`;
  const place = firstStart(lines, `\n${wanted}\n`);
  return place === null ? null : lineAt(lines, place + 1) - 1;
}

function longestLine(part: string): string {
  return trimLines(part)
    .split('\n')
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '');
}

/** Explains to a model why `part` was not found in `text`, and shows the closest match. */
export function explainMissing(text: string, part: string, replacement: string): string {
  const made = replacement.length < telling ? null : firstStart(text, replacement);
  if (made !== null) {
    return `old_string is not in the file, but new_string is (line ${lineAt(text, made)}): this edit may have been made already.`;
  }
  const loose = findLoosely(text, part);
  if (loose !== null) {
    const lines = quoteLines(text, loose, part.trim().split('\n').length);
    return `old_string is not in the file exactly; these lines differ from it in white space only:\n${lines}`;
  }
  const longest = longestLine(part);
  const near = longest.length < telling ? null : firstStart(text, longest);
  if (near !== null) {
    const line = lineAt(text, near);
    return `old_string is not in the file as a whole, but a line of it is. There the file reads:\n${quoteLines(text, Math.max(line - 2, 1), 6)}`;
  }
  return 'old_string is not in the file, and no line of it is. Read the file again and copy the text from there.';
}
