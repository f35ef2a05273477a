import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationTable } from '../operations.ts';
import { padToPowerOfTwo, placeholders } from './operation.ts';

describe('padToPowerOfTwo', () => {
  it('repeats the last item, so that lists of many lengths make few statements', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 300 }), (items) => {
        const padded = padToPowerOfTwo(items);
        expect(padded.slice(0, items.length)).toEqual(items);
        expect(new Set(padded.slice(items.length))).toEqual(new Set(padded.length > items.length ? items.slice(-1) : []));
        expect(Number.isInteger(Math.log2(padded.length))).toBe(true);
        expect(padded.length).toBeLessThan(items.length * 2);
      }),
    );
    expect(padToPowerOfTwo([])).toEqual([]);
  });
});

describe('placeholders', () => {
  it('has a row of marks for each row of values', () => {
    expect(placeholders(2, 3)).toBe('(?, ?, ?), (?, ?, ?)');
    expect(placeholders(1, 1)).toBe('(?)');
  });
});

describe('the operations', () => {
  it('are all known to the database thread of SQLite by names of their own', async () => {
    const folder = new URL('../', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const modules = await Promise.all(
      files.map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
    );
    const isOperation = (value: unknown): value is { name: string } =>
      typeof value === 'object' && value !== null && 'access' in value && 'run' in value;
    const names = modules.flatMap((module) =>
      Object.values(module)
        .filter(isOperation)
        .map(({ name }) => name),
    );
    expect(new Set(names).size).toBe(names.length);
    expect([...operationTable.keys()].toSorted()).toEqual(names.toSorted());
  });
});
