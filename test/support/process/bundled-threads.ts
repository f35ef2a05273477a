import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { replaceThreadFiles } from '../../../scripts/thread-files.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const entries = join(checkout, 'dist/entries.json');

/** The names of the files of the bundle as JSON, anew each time, because it is built when the run has begun; none where it cannot be. */
const readEntries = () => (existsSync(entries) ? readFileSync(entries, 'utf8') : '{}');

/** Whether a module may start a thread. */
const mayStart = (code: string, id: string) =>
  code.includes('import.meta.url') && !id.includes('/node_modules/') && !/\.test\.\w+$/.test(id);

/**
 * Threads that tests start run the bundle, which is built of the same sources before the first test: a thread that loads a hundred
 * TypeScript files takes three times the processor time, and there are hundreds of starts.
 */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  // Modules are kept for the next run, in which the files of the bundle may have other names.
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id, sourceCode }) => (mayStart(sourceCode, id) ? readEntries() : undefined));
  },
  transform(code, id) {
    if (!mayStart(code, id)) return null;
    const bundled = JSON.parse(readEntries()) as Record<string, string>;
    return replaceThreadFiles(code, (name) => {
      const source = resolve(dirname(id), name);
      const file = bundled[relative(checkout, source)];
      return `new URL('${pathToFileURL(file === undefined ? source : join(checkout, 'dist', file)).href}')`;
    });
  },
};
