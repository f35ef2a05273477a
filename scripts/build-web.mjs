import { fileURLToPath } from 'node:url';

// Runs after `npm ci`: builds the web application into web/dist. Without the packages of development, what was built before stays.

const vite = await import('vite').catch(() => null);
if (vite) await vite.build({ root: fileURLToPath(new URL('../web', import.meta.url)), logLevel: 'warn' });
else console.error('The web application was not built, because vite is not installed: run npm ci without --omit=dev once.');
