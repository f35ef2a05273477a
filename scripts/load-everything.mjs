import { globSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded by warm-start: what is loaded once is in the compile cache. `main` is the program itself, and tests are not part of it.

const folder = new URL('../', import.meta.url);
const shipped = ['src/**/*.ts', 'packages/{base,documents,sandbox}/src/**/*.ts'];
const names = isMainThread ? globSync(shipped, { cwd: folder }) : [];

for (const name of names) {
  if (name === 'src/main.ts' || name.endsWith('.test.ts')) continue;
  // A file that only runs inside a thread refuses, and has been compiled by then.
  await import(new URL(name, folder).href).catch(() => undefined);
}
