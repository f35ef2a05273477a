import { globSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded by warm-start: what is loaded once is in the compile cache. `main` is the program itself.

const folder = new URL('../', import.meta.url);
const names = isMainThread ? globSync('dist/*.js', { cwd: folder }) : [];

for (const name of names) {
  if (name === 'dist/main.js') continue;
  // A file that only runs inside a thread refuses, and has been compiled by then.
  await import(new URL(name, folder).href).catch(() => undefined);
}
