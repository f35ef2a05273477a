import { expect, it } from 'vitest';
import { checkLicenses } from './licenses.mjs';
import { listBundled, listPackages, listShipped, readLock } from './lock-file.mjs';

/** @param {Record<string, object>} packages by folder */
const read = (packages) => listPackages({ packages: { '': {}, 'packages/base': {}, ...packages } });

it('a new dependency under a license that is not listed is refused, and so is one without a license', () => {
  const packages = read({
    'node_modules/kind': { version: '1.0.0', license: 'MIT' },
    'node_modules/strict': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/kind/node_modules/silent': { version: '3.0.0' },
  });
  expect(checkLicenses(packages)).toEqual([
    'strict@2.0.0 has the license AGPL-3.0-only, which scripts/supply/licenses.mjs does not list',
    'silent@3.0.0 has the license (none), which scripts/supply/licenses.mjs does not list',
  ]);
});

it('the LGPL and the MPL are accepted only for the packages whose source is known', () => {
  const packages = read({
    'node_modules/@img/sharp-libvips-linux-x64': { version: '1.0.0', license: 'LGPL-3.0-or-later' },
    'node_modules/@img/sharp-libvips-other': { version: '1.0.0', license: 'MPL-2.0' },
    'node_modules/stranger': { version: '1.0.0', license: 'MPL-2.0' },
  });
  expect(checkLicenses(packages).map((problem) => problem.split(' ', 1)[0])).toEqual([
    '@img/sharp-libvips-other@1.0.0',
    'stranger@1.0.0',
  ]);
});

it('a build for one platform has the license of its package', () => {
  const packages = read({
    'node_modules/draw': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'draw-arm': '1.0.0' } },
    'node_modules/draw-arm': { version: '1.0.0', cpu: ['arm64'], optional: true },
    'node_modules/lone-arm': { version: '1.0.0', cpu: ['arm64'], optional: true },
  });
  expect(checkLicenses(packages)).toEqual([
    'lone-arm@1.0.0 has the license (none), which scripts/supply/licenses.mjs does not list',
  ]);
});

it('what the bundle of the web application contains is shipped, tools of the build are not', () => {
  const packages = read({
    'node_modules/server': { version: '1.0.0' },
    'node_modules/page': { version: '1.0.0', dev: true, dependencies: { part: '1' } },
    'node_modules/part': { version: '1.0.0', dev: true },
    'web/node_modules/page': { version: '2.0.0', dev: true, dependencies: { part: '2' } },
    'web/node_modules/page/node_modules/part': { version: '2.0.0', dev: true },
    'node_modules/bundler': { version: '1.0.0', dev: true },
  });
  expect(listShipped(packages, ['page']).map(({ path }) => path)).toEqual([
    'node_modules/server',
    'web/node_modules/page',
    'web/node_modules/page/node_modules/part',
  ]);
});

it('React and the style sheet are among what this web application ships, its compiler is not', () => {
  const root = process.cwd();
  const names = listShipped(readLock(root), listBundled(root)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'react-dom', 'scheduler', 'tailwindcss', 'fastify', 'sharp']));
  for (const tool of ['vite', 'vitest', 'typescript', '@tailwindcss/vite', 'lightningcss']) expect(names).not.toContain(tool);
});
