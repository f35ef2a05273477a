import { globSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded by warm-start: what is loaded once is in the compile cache. `main` is the program itself, and tests are not part of it.

const folder = new URL('../src/', import.meta.url);
const names = isMainThread ? globSync('**/*.ts', { cwd: folder }) : [];

for (const name of names) {
  if (name === 'main.ts' || name.endsWith('.test.ts')) continue;
  // A file that only runs inside a thread refuses, and has been compiled by then.
  await import(new URL(name, folder).href).catch(() => undefined);
}
