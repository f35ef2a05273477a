import { isJsonObject, type JsonObject } from '@errand/base/json-object.ts';
import { closeSync, openSync, readSync } from 'node:fs';
import type { RowValues, SqlValue } from '../db/store-operation.ts';
import { refuseArchive } from './archive-refusal.ts';
import { type ArchivedTable, stripRow } from './archived-tables.ts';
import type { ColumnKind } from './column-kinds.ts';

const pieceBytes = 256 * 1024;
/** More than any row can have. */
const maxLineBytes = 64 * 1024 * 1024;

/** The lines of a file, one after another: a store operation cannot wait for anything but the database. */
export function* readLines(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    let pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const piece = Buffer.alloc(pieceBytes);
      const read = readSync(descriptor, piece);
      if (read === 0) break;
      let from = 0;
      for (let end = piece.indexOf(0x0a); end >= 0 && end < read; end = piece.indexOf(0x0a, from)) {
        yield Buffer.concat([...pieces, piece.subarray(from, end)]).toString('utf8');
        [pieces, length, from] = [[], 0, end + 1];
      }
      pieces.push(piece.subarray(from, read));
      length += read - from;
      if (length > maxLineBytes) throw refuseArchive('a row is too long');
    }
    if (length > 0) throw refuseArchive('a table ends in the middle of a row');
  } finally {
    closeSync(descriptor);
  }
}

function parse(line: string): JsonObject {
  try {
    const row = JSON.parse(line) as unknown;
    if (isJsonObject(row)) return row;
  } catch {
    // Refused below, like everything else that is no row.
  }
  throw refuseArchive('a row is damaged');
}

function isOfKind(value: unknown, kind: ColumnKind): value is SqlValue {
  if (value === null) return true;
  return kind === 'text' ? typeof value === 'string' && !value.includes('\0') : Number.isSafeInteger(value);
}

/** What a row of an archive has to be. */
export interface RowRules extends ArchivedTable {
  accountId: string;
  columns: Readonly<Record<string, ColumnKind>>;
}

/** A row as it may be stored. Throws for anything that an export does not write, such as rows of other accounts. */
export function readArchivedRow(line: string, rules: RowRules): RowValues {
  const { table, column, isRenewed, except, accountId, columns } = rules;
  const row = parse(line);
  for (const [name, value] of Object.entries(row)) {
    const kind = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!kind) throw refuseArchive(`${table} has an unknown column ${JSON.stringify(name.slice(0, 40))}`);
    if (!isOfKind(value, kind)) throw refuseArchive(`${table}.${name} has a value of the wrong type`);
  }
  const values = row as Record<string, SqlValue>;
  if (values[column] !== accountId) throw refuseArchive(`${table} has a row of another account`);
  if (except && values[except.column] === except.value) throw refuseArchive(`${table} has a row that no export has`);
  return isRenewed ? values : stripRow(values, rules);
}
