import { posix } from 'node:path';
import { isText } from '../text/text-file.ts';

/** A search request, as sent to the search thread. */
export interface SearchQuery {
  query: string;
  isRegex: boolean;
  ignoreCase: boolean;
  contextLines: number;
}

export interface FoundLine {
  number: number;
  text: string;
  /** False for a context line. */
  isMatch: boolean;
}

export interface FileMatches {
  lines: FoundLine[];
  matches: number;
}

const shownLength = 300;
const lengthBefore = 100;

/** Throws a SyntaxError for an invalid regular expression. */
export function compileQuery({ query, isRegex, ignoreCase }: SearchQuery): RegExp {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(source, ignoreCase ? 'i' : '');
}

/** The part of a line around a match: generated files can have lines of megabytes. */
function excerptLine(line: string, place: number): string {
  if (line.length <= shownLength) return line;
  const from = Math.max(0, Math.min(place - lengthBefore, line.length - shownLength));
  const to = from + shownLength;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

/** Matching lines of a text, at most `limit`, with context lines. */
export function searchText(text: string, pattern: RegExp, contextLines: number, limit: number): FileMatches {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const shown = new Map<number, FoundLine>();
  let matches = 0;
  for (let i = 0; i < lines.length && matches < limit; i++) {
    const place = lines[i]?.search(pattern) ?? -1;
    if (place < 0) continue;
    matches++;
    for (let near = Math.max(0, i - contextLines); near <= Math.min(lines.length - 1, i + contextLines); near++) {
      const isMatch = near === i || shown.get(near)?.isMatch === true;
      if (near !== i && shown.has(near)) continue;
      shown.set(near, { number: near + 1, text: excerptLine(lines[near] ?? '', near === i ? place : 0), isMatch });
    }
  }
  return { lines: [...shown.values()].sort((a, b) => a.number - b.number), matches };
}

/** Null for a file that is not text. */
export function searchBytes(bytes: Uint8Array, pattern: RegExp, contextLines: number, limit: number): FileMatches | null {
  return isText(bytes)
    ? searchText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(), pattern, contextLines, limit)
    : null;
}

/** The paths that match a glob: one without a slash matches file names in any folder. */
export function filterPaths(paths: readonly string[], glob: string): string[] {
  const isAboutName = !glob.includes('/');
  return paths.filter((path) => posix.matchesGlob(isAboutName ? posix.basename(path) : path, glob));
}
