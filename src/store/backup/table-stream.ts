import { pipeline, Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { SqlValue } from '../db/store-operation.ts';
import { BackupProblem } from './backup-problem.ts';

/** Some rows of a table, with values in the order of the columns. */
export interface TablePart {
  table: string;
  columns: readonly string[];
  rows: readonly (readonly SqlValue[])[];
}

/** JSON lines, compressed. */
export function packLines(lines: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  async function* text(): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  const packed = createZstdCompress();
  // The reader of the result receives the error.
  pipeline(Readable.from(text()), packed, () => undefined);
  return packed as AsyncIterable<Uint8Array>;
}

/** Reverses `packLines`. Rejects with `BackupProblem` for anything else. */
export async function* unpackLines(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator {
  const plain = createZstdDecompress();
  pipeline(Readable.from(source), plain, () => undefined);
  try {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of plain as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as unknown;
    }
    if (rest !== '') throw new SyntaxError('the last line is cut');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isGarbled = error instanceof SyntaxError || code?.startsWith('ZSTD_') === true || code === 'ERR_ZSTD_INVALID';
    throw isGarbled ? new BackupProblem(`${name} is damaged: it cannot be read`, { cause: error }) : error;
  }
}
