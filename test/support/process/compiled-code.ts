import { fileURLToPath } from 'node:url';

/** What the launcher runs, relative to the checkout. */
export const program = 'dist/main.js';

/** For the environment of a process under test: the compile cache halves its start time, and there are hundreds of starts. */
export const compiledCode = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/errand-tests', import.meta.url)),
};
