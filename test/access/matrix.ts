import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const statuses = z.union([z.int(), z.array(z.int())]);

const shape = z.strictObject({
  credentials: z.record(z.string(), z.string()),
  like: z.record(z.string(), z.string()).default({}),
  always: z.record(z.string(), z.int()).default({}),
  tables: z.record(z.string(), z.strictObject({ cases: z.array(z.string()), base: z.string().optional() }).catchall(statuses)),
  operations: z.record(
    z.string(),
    z.strictObject({
      table: z.string(),
      input: z.record(z.string(), z.unknown()).default({}),
      /** What is answered instead of 200 to those who are let through to the input. */
      success: z.int().default(200),
    }),
  ),
});

/** One question to the service and the status of its answer. */
export interface Cell {
  operation: string;
  credential: string;
  case: string;
  status: number;
  /** Whether the caller may not know that there is such a thing, or there is none. */
  isHidden: boolean;
  input: Record<string, unknown>;
}

export interface Matrix {
  credentials: readonly string[];
  operations: readonly string[];
  cells: readonly Cell[];
}

/** Reads the table; throws for a row that is missing or has another number of cells than its table has cases. */
export function readMatrix(file = 'matrix.yaml'): Matrix {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const { credentials, like, always, tables, operations } = shape.parse(parse(text, { merge: true }));
  const names = Object.keys(credentials);
  const find = (tableName: string, credential: string): unknown => {
    const { base, ...table } = tables[tableName] ?? { cases: [] };
    return table[credential] ?? (base === undefined ? undefined : find(base, credential));
  };
  const cells = Object.entries(operations).flatMap(([operation, { table: tableName, input, success }]) => {
    const table = tables[tableName];
    if (!table) throw new Error(`${operation}: there is no table ${tableName}`);
    const extra = Object.keys(table).filter((row) => !['cases', 'base'].includes(row) && !names.includes(row));
    if (extra.length > 0) throw new Error(`${tableName}: ${extra.join(', ')} is no credential`);
    return names.flatMap((credential) => {
      const said = find(tableName, credential) ?? always[credential] ?? find(tableName, like[credential] ?? '');
      const row = statuses.parse(said, { error: () => `${tableName} says nothing of ${credential}` });
      const each = typeof row === 'number' ? table.cases.map(() => row) : row;
      if (each.length !== table.cases.length) throw new Error(`${tableName}.${credential} has ${each.length} cells`);
      return table.cases.map((name, index) => {
        const status = each[index] ?? 0;
        return { operation, credential, case: name, status: status === 200 ? success : status, isHidden: status === 404, input };
      });
    });
  });
  return { credentials: names, operations: Object.keys(operations), cells };
}

/** The operation that a row calls; the part after `#` distinguishes rows of the same operation. */
export function nameOf(row: string): string {
  return row.split(' #')[0] ?? '';
}

/** The input of a cell with the ids of its case. */
export function fillInput(input: unknown, ids: Record<string, string>): unknown {
  if (typeof input === 'string') return ids[input] ?? input;
  if (Array.isArray(input)) return input.map((item) => fillInput(item, ids));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fillInput(value, ids)]));
}
