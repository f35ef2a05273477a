import { posix } from 'node:path';
import { isText } from '../text/text-file.ts';

/** What is searched for, as it crosses to the search thread. */
export interface SearchQuery {
  query: string;
  isRegex: boolean;
  ignoreCase: boolean;
  contextLines: number;
}

export interface FoundLine {
  number: number;
  text: string;
  /** False for a line that is shown only because it is near one. */
  isMatch: boolean;
}

export interface FileMatches {
  lines: FoundLine[];
  matches: number;
}

const shownLength = 300;
const lengthBefore = 100;

/** Throws a SyntaxError for a wrong regular expression. */
export function compileQuery({ query, isRegex, ignoreCase }: SearchQuery): RegExp {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(source, ignoreCase ? 'i' : '');
}

/** The part of a line around a place in it: lines of generated files can be megabytes long. */
function excerptLine(line: string, place: number): string {
  if (line.length <= shownLength) return line;
  const from = Math.max(0, Math.min(place - lengthBefore, line.length - shownLength));
  const to = from + shownLength;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

/** Lines of a text that match, at most `limit` of them, with the lines around them. */
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

/** The paths a glob means: one without a slash is about the file's name in any folder. */
export function filterPaths(paths: readonly string[], glob: string): string[] {
  const isAboutName = !glob.includes('/');
  return paths.filter((path) => posix.matchesGlob(isAboutName ? posix.basename(path) : path, glob));
}
