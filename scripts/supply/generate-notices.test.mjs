import { expect, it } from 'vitest';
import { describeNotice, describePage } from './generate-notices.mjs';
import { listBundled, listPackages, listShipped, readLock } from './lock-file.mjs';

it('the notice names each shipped package under the LGPL or the MPL with its version and source', () => {
  const shipped = listShipped(readLock(process.cwd()), listBundled(process.cwd()));
  const strict = shipped.filter(({ license }) => /LGPL|MPL/.test(license ?? ''));
  const libvips = strict.find(({ name }) => name === '@img/sharp-libvips-linux-x64');
  const notice = describeNotice(shipped);
  expect(notice).toContain(`@img/sharp-libvips-* ${libvips?.version}\n`);
  expect(notice).toContain('https://github.com/lovell/sharp-libvips');
  expect(notice).toMatch(/^@resvg\/resvg-js\* /m);
  expect(notice).not.toContain('axe-core');
  for (const { version } of strict) expect(notice).toContain(version);
});

it('the page has every shipped package with its license, and tools only where they are under the LGPL or the MPL', () => {
  const packages = listPackages({
    packages: {
      'node_modules/kind': { version: '1.0.0', license: 'MIT' },
      'node_modules/axe-core': { version: '2.0.0', license: 'MPL-2.0', dev: true },
      'node_modules/tool': { version: '3.0.0', license: 'ISC', dev: true },
    },
  });
  const page = describePage(listShipped(packages, []), packages);
  expect(page).toContain('| MIT | `kind@1.0.0` |');
  expect(page).toMatch(/only in the build[^]*`axe-core` \| 2\.0\.0 \| MPL-2\.0/);
  expect(page).not.toContain('tool@');
});
