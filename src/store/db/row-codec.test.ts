import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { migrationToSqlite } from './dialect.ts';
import { loadMigrations } from './migrations.ts';
import { flag, integer, json, nullable, tableCodec, text } from './row-codec.ts';
import { rowOf } from './store-operation.ts';

const row = tableCodec('things', { name: text, size: integer, is_new: flag, made_at: nullable(integer), tags: json<string[]>() });

function detailOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Fault && error.code === 'internal') return error.detail ?? '';
  }
  return '';
}

describe('the codec of a table', () => {
  it('reads each column as its type', () => {
    const stored = rowOf({ name: 'a', size: 0, is_new: 1, made_at: null, tags: '["x"]' });
    expect(row.name(stored)).toBe('a');
    expect(row.size(stored)).toBe(0);
    expect(row.is_new(stored)).toBe(true);
    expect(row.made_at(stored)).toBe(null);
    expect(row.tags(stored)).toEqual(['x']);
    // Nothing else can read a row: the compiler knows none of its columns.
    expectTypeOf<Exclude<keyof typeof stored, symbol>>().toBeNever();
  });

  it('rejects a value that is missing or of another type, and names table and column', () => {
    expect(detailOf(() => row.name(rowOf({})))).toBe('things.name is missing');
    expect(detailOf(() => row.name(rowOf({ name: null })))).toBe('things.name is null');
    expect(detailOf(() => row.size(rowOf({ size: '1' })))).toBe('things.size cannot be read from a string');
    expect(detailOf(() => row.is_new(rowOf({ is_new: 2 })))).toBe('things.is_new cannot be read from a number');
    expect(detailOf(() => row.tags(rowOf({ tags: '[' })))).toBe('things.tags cannot be read from a string');
  });

  it('gives a value of its type or none at all', () => {
    const anything = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant(undefined));
    fc.assert(
      fc.property(anything, (value) => {
        const stored = rowOf(value === undefined ? {} : { name: value, made_at: value });
        if (typeof value === 'string') expect(row.name(stored)).toBe(value);
        else expect(detailOf(() => row.name(stored))).toMatch(/^things\.name /);
        if (value === null || typeof value === 'number') expect(row.made_at(stored)).toBe(value);
        else expect(detailOf(() => row.made_at(stored))).toMatch(/^things\.made_at /);
      }),
    );
  });
});

describe('a record', () => {
  const stored = rowOf({ name: 'a', size: 0, is_new: 1, made_at: null, tags: '["x"]' });

  it('has each column of the codec under its field name, times in milliseconds', () => {
    const record = row.read(stored);
    expect(record).toEqual({ name: 'a', size: 0, isNew: true, madeAtMs: null, tags: ['x'] });
    expectTypeOf(record).toEqualTypeOf<{ name: string; size: number; isNew: boolean; madeAtMs: number | null; tags: string[] }>();
    expect(row.columns).toBe('name, size, is_new, made_at, tags');
  });

  it('has only the listed columns, each under its field name', () => {
    const part = row.pick('name as title, made_at', 'is_new');
    expect(part.read(stored)).toEqual({ title: 'a', madeAtMs: null, isNew: true });
    expectTypeOf(part.read).returns.toEqualTypeOf<{ title: string; madeAtMs: number | null; isNew: boolean }>();
    expect(part.columns).toBe('name, made_at, is_new');
    expect(part.columnsOf('t')).toBe('t.name, t.made_at, t.is_new');
  });

  it('is rejected with the name of the unreadable column, and shares nothing with the previous one', () => {
    expect(detailOf(() => row.read(rowOf({ name: 'a', size: null })))).toBe('things.size is null');
    const [first, second] = [row.read(stored), row.read(rowOf({ name: 'b', size: 1, is_new: 0, made_at: 2, tags: '[]' }))];
    expect(first.name).toBe('a');
    expect(second).toEqual({ name: 'b', size: 1, isNew: false, madeAtMs: 2, tags: [] });
  });

  it('knows no other column', () => {
    // @ts-expect-error the codec has no such column
    expect(() => row.pick('name, colour')).toThrow('no column colour');
  });
});

/** Every declaration in the sources: table, column, and the start of its type. */
function* declarations(): Generator<{ table: string; column: string; type: string }> {
  const folder = new URL('../', import.meta.url);
  for (const name of globSync('**/*.ts', { cwd: folder })) {
    if (name.endsWith('.test.ts')) continue;
    const source = readFileSync(new URL(name, folder), 'utf8');
    for (const [, table = '', columns = ''] of source.matchAll(/tableCodec\('(\w+)', \{([^}]*)\}/g)) {
      for (const [, column = '', type = ''] of columns.matchAll(/(\w+): (\w+)/g)) yield { table, column, type };
    }
  }
}

describe('the declared columns', () => {
  it('are those of the schema, and nullable exactly where that allows null', async () => {
    using database = new DatabaseSync(':memory:');
    for (const migration of await loadMigrations()) database.exec(migrationToSqlite(migration.text));
    const found = [...declarations()];
    expect(found.length).toBeGreaterThan(150);
    for (const { table, column, type } of found) {
      const columns = database.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(table);
      const known = columns.find(({ name }) => name === column);
      const holdsText = ['text', 'json', 'oneOf', 'scopeList'].includes(type);
      const declared = { table, column, isNullable: type === 'nullable', isText: type === 'nullable' ? null : holdsText };
      const isNullable = known?.notnull === 0 && known.pk === 0;
      const isText = type === 'nullable' ? null : known?.type === 'TEXT';
      expect(declared).toEqual({ table: known && table, column: known?.name, isNullable, isText });
    }
  });
});
