import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationTable, tabulateOperations } from './operations.ts';

/** Run only inside a worker thread. */
const threadFiles = ['sqlite-thread.ts', 'sqlite-reader-thread.ts'];

describe('the operations', () => {
  it('are all known to the SQLite database thread under unique names', async () => {
    const folder = new URL('./', import.meta.url);
    const files = globSync('**/*.ts', { cwd: folder }).filter(
      (name) => !name.endsWith('.test.ts') && !threadFiles.includes(name),
    );
    const modules = await Promise.all(
      files.map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
    );
    const isOperation = (value: unknown): value is { name: string } =>
      typeof value === 'object' && value !== null && 'access' in value && 'run' in value;
    const found = new Set(modules.flatMap((module) => Object.values(module).filter(isOperation)));
    const names = Array.from(found, ({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...operationTable.keys()].toSorted()).toEqual(names.toSorted());
  });

  it('reject duplicate names', () => {
    expect(() => tabulateOperations([{ name: 'a.one' }, { name: 'a.two' }, { name: 'a.one' }])).toThrow('named a.one');
  });

  it('are each named in a test', () => {
    const root = new URL('../../', import.meta.url);
    const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
    const sources = globSync('src/store/**/*.ts', { cwd: root }).filter((name) => !name.endsWith('.test.ts'));
    const declared = sources.flatMap((name) =>
      [...read(name).matchAll(/^export const (\w+): StoreOperation</gm)].map(([, found]) => found),
    );
    const tests = [...globSync('{src,packages}/**/*.test.ts', { cwd: root }), ...globSync('test/**/*.ts', { cwd: root })];
    const words = new Set(tests.flatMap((name) => read(name).match(/\w+/g) ?? []));
    expect(declared.length).toBe(operationTable.size);
    expect(declared.filter((name) => !words.has(name ?? ''))).toEqual([]);
  });
});
