import { fileURLToPath } from 'node:url';

/** What the launcher runs, relative to the checkout. */
export const program = 'dist/main.js';

/** Environment of a process under test with a compile cache, which halves its start time; there are hundreds of starts. */
export const compiledCode = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/errand-tests', import.meta.url)),
};
