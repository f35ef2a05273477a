import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationTable } from './operations.ts';

/** Runs only inside a worker thread. */
const threadFile = 'sqlite-thread.ts';

describe('the operations', () => {
  it('are all known to the database thread of SQLite by names of their own', async () => {
    const folder = new URL('./', import.meta.url);
    const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts') && name !== threadFile);
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
});
