import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { replaceThreadFiles } from '../../../scripts/thread-files.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const entries = join(checkout, 'dist/entries.json');

let bundled: Record<string, string> | undefined;

/** The files of the bundle, once it has been built; none where it cannot be. */
function readEntries(): Record<string, string> {
  bundled ??= existsSync(entries) ? (JSON.parse(readFileSync(entries, 'utf8')) as Record<string, string>) : {};
  return bundled;
}

/**
 * Threads that tests start run the bundle, which is built of the same sources before the first test: a thread that loads a hundred
 * TypeScript files takes three times the processor time, and there are hundreds of starts.
 */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url') || id.includes('/node_modules/') || /\.test\.\w+$/.test(id)) return null;
    return replaceThreadFiles(code, (name) => {
      const source = resolve(dirname(id), name);
      const file = readEntries()[relative(checkout, source)];
      return `new URL('${pathToFileURL(file === undefined ? source : join(checkout, 'dist', file)).href}')`;
    });
  },
};
