import { loadMigrations } from '../db/migrations.ts';

/** What a column takes besides null. */
export type ColumnKind = 'text' | 'number';
/** The columns of each table. */
export type ColumnKinds = Readonly<Record<string, Readonly<Record<string, ColumnKind>>>>;

const kindOf = (type: string): ColumnKind => (type === 'TEXT' ? 'text' : 'number');

function* readColumns(text: string): Generator<[table: string, column: string, kind: ColumnKind]> {
  for (const [, table = '', body = ''] of text.matchAll(/^CREATE TABLE (\w+) \(\n([^;]*?)\n\)/gm)) {
    for (const [, column = '', type = ''] of body.matchAll(/^ {2}(\w+) (TEXT|BIGINT|INTEGER)\b/gm))
      yield [table, column, kindOf(type)];
  }
  for (const [, table = '', column = '', type = ''] of text.matchAll(
    /^ALTER TABLE (\w+) ADD COLUMN (\w+) (TEXT|BIGINT|INTEGER)\b/gm,
  )) {
    yield [table, column, kindOf(type)];
  }
}

/** The columns that the shipped migrations make, and the number of the newest migration. */
export async function loadColumns(): Promise<{ columns: ColumnKinds; schema: number }> {
  const migrations = await loadMigrations();
  const columns: Record<string, Record<string, ColumnKind>> = {};
  for (const { text } of migrations) {
    for (const [table, column, kind] of readColumns(text.replaceAll(/--.*$/gm, ''))) (columns[table] ??= {})[column] = kind;
  }
  return { columns, schema: Math.max(...migrations.map(({ version }) => version)) };
}
