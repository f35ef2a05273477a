import { fileURLToPath } from 'node:url';

// Runs after `npm ci`: builds the web application into web/dist. Without the packages of development, what was built before stays.

const vite = await import('vite').catch(() => null);
const root = fileURLToPath(new URL('../web', import.meta.url));
// How long parts of the build take says nothing on a machine that has other work.
const build = { rolldownOptions: { checks: { bundlerTimings: false } } };
if (vite) await vite.build({ root, build, logLevel: 'warn' });
else console.error('The web application was not built, because vite is not installed: run npm ci without --omit=dev once.');
