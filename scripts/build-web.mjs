import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs after `npm ci`: builds the web application into web/dist, and the documentation into web/dist/docs. Without the packages of development, what was built before stays.

const vite = await import('vite').catch(() => null);
const root = fileURLToPath(new URL('../web', import.meta.url));
const shared = /web\/src\/(ui|api|text|task-list)\/(?!(de|es|zh)[./])|web\/src\/[\w/-]+-search\.ts|client\/src\//;
// What the first page does not need is apart, because that page is to load quickly.
const later =
  /web\/src\/(task-list\/(share-dialog|selection-bar)|api\/(limit|settings|instance)-queries|ui\/(display\/(table|tabs|link-tabs|paged-|back-link)|dialogs\/(secret|unsaved|removal|use-removal|sheet)|feedback\/(list-state|blank-sheets)))/;
/** @param {string} id */
const isShared = (id) => shared.test(id) && !later.test(id);
// What several pages share is one file a kind, not one a module: fewer requests, and smaller for being compressed together.
const groups = [
  { name: 'framework', test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!(react-)?virtual))/, minShareCount: 2 },
  { name: 'lists', test: /node_modules\/@tanstack\/(react-)?virtual|web\/src\/ui\/display\/virtual-/, minShareCount: 2 },
  {
    name: 'controls',
    test: /node_modules\/(@?radix-ui|@floating-ui|lucide-react|aria-hidden|react-remove-scroll)/,
    minShareCount: 2,
  },
  { name: 'shared', test: isShared, minShareCount: 2 },
];
// How long parts of the build take says nothing on a machine that has other work.
const build = { rolldownOptions: { checks: { bundlerTimings: false }, output: { codeSplitting: { groups } } } };
if (vite) {
  await vite.build({ root, build, logLevel: 'warn' });
  const { writeDocs } = await import('./docs/build-docs.mjs');
  await writeDocs(join(root, 'dist/docs'));
} else console.error('The web application was not built, because vite is not installed: run npm ci without --omit=dev once.');
