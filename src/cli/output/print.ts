import { styleText } from 'node:util';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import type { Host, Output } from '../shell.ts';

type Streams = Pick<Host, 'stdout' | 'stderr'>;

/** Prints the result for people. */
export function printText({ stdout }: Streams, text: string): void {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints the result for programs: one object on one line, with the control characters escaped that JSON leaves alone. */
export function printJson({ stdout }: Streams, value: object): void {
  const json = JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  stdout.write(`${json}\n`);
}

/** Prints what is worth knowing besides the result. */
export function printNote({ stderr }: Streams, line: string): void {
  stderr.write(`${line}\n`);
}

/** Dims a text if the stream is a terminal with colors. */
export function dim(stream: Output, text: string): string {
  return styleText('dim', text, { stream });
}

/** Rows as aligned columns; the last column is not padded. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
    .join('\n');
}

/** `2026-01-31 12:05` in UTC; `never` for null. */
export function formatTime(seconds: number | null | undefined): string {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ') : 'never';
}

/** The outcome of a command, for people and for programs. */
export interface Report {
  /** The result, on standard output. */
  text?: string;
  /** What is worth knowing besides the result, on standard error. */
  notes?: readonly string[];
  /** The result for `--json`. */
  json?: object;
  exit?: ExitCode;
}

/** Prints a report as the options ask for it and returns the exit code. */
export function printReport(streams: Streams, isJson: boolean | undefined, report: Report): ExitCode {
  const { text, notes = [], json = {}, exit = exitCode.done } = report;
  if (isJson) printJson(streams, json);
  else {
    if (text !== undefined) printText(streams, text);
    for (const note of notes) printNote(streams, note);
  }
  return exit;
}

/** A list as a table: the cells of each column by its title. Without items only the note `none` remains. */
export function reportList<Item>(
  items: readonly Item[],
  none: string,
  columns: Readonly<Record<string, (item: Item) => string>>,
): Report {
  if (items.length === 0) return { notes: [none] };
  const rows = items.map((item) => Object.values(columns).map((cellOf) => cleanLine(cellOf(item))));
  return { text: formatTable([Object.keys(columns), ...rows]) };
}

/** Columns that several lists have. */
export const columns = {
  id: { ID: ({ id }: { id: string }) => id },
  status: { STATUS: ({ status }: { status: string }) => status },
  created: { 'CREATED (UTC)': ({ created_at }: { created_at: number }) => formatTime(created_at) },
};

/** `reportList` of the page that an operation answers with. */
export function reportRows<Item>(none: string, shown: Readonly<Record<string, (item: NoInfer<Item>) => string>>) {
  return ({ data }: { data: readonly Item[] }): Report => reportList(data, none, shown);
}
