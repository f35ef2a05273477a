import { stripVTControlCharacters, styleText } from 'node:util';
import type { Host, Output } from './shell.ts';

type Streams = Pick<Host, 'stdout' | 'stderr'>;

/** What a model or a stranger wrote, without what would move the cursor, change colours or rewrite earlier lines of a terminal. */
export function terminalText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** The same on one line of at most `length` characters. */
export function terminalLine(text: string, length = 200): string {
  const line = terminalText(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}

/** The result, for people. */
export function printText({ stdout }: Streams, text: string): void {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** The result, for programs: one object on one line; control characters that JSON leaves alone are escaped. */
export function printJson({ stdout }: Streams, value: object): void {
  const json = JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  stdout.write(`${json}\n`);
}

/** What is worth knowing beside the result. */
export function printNote({ stderr }: Streams, line: string): void {
  stderr.write(`${line}\n`);
}

/** Quieter than the rest, where the stream is a terminal with colours. */
export function dim(stream: Output, text: string): string {
  return styleText('dim', text, { stream });
}

/** Rows as aligned columns; the last column keeps its length. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
    .join('\n');
}

/** `2026-01-31 12:05` in UTC. */
export function formatTime(seconds: number | null | undefined): string {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ') : 'never';
}
