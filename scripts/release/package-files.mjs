import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { isTest } from '../source-file.mjs';
import { readLock } from '../supply/lock-file.mjs';

/** @typedef {import('../supply/lock-file.mjs').LockedPackage} LockedPackage */

/** What the bundle finds by its place: pages, migrations, skills, and the programs that it hands to a sandbox as they are. */
const ownFolders = [
  'web/dist',
  'migrations',
  'skills',
  'src/tools/browser/driver',
  'packages/sandbox/src/press',
  'packages/sandbox/src/programs',
];

const ownFiles = ['bin/errand', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'NOTICE'];

/** Packages with native parts, one build for each platform: npm chooses the build when it installs errand. */
const nativeNames = ['sharp', '@resvg/resvg-js', '@napi-rs/canvas'];
const nativeScopes = ['@img/', '@resvg/', '@napi-rs/'];

/** Files of third-party packages that nothing runs. Declarations and source maps are a third of their bytes, tests a tenth. */
const unusedFile = /(\.(map|[cm]?ts|flow|bare)|\/\.[^/]*)$/;
/** Builds for pages that load a library by a script element; the service imports its modules. */
const unusedBuild = /(^|\/)node_modules\/(echarts\/dist\/|docx\/dist\/[^/]*\.(iife\.js|umd\.cjs)$)/;
const unusedFolder = /^(test|tests|__tests__|integration|node_modules|\..*)$/;

/**
 * Bundles the service if a source is newer than its bundle, and says what is packed: a release wants the commit that is checked out, which
 * `npm ci` bundles.
 * @param {string} root
 * @returns {string} version and commit
 */
export function prepareBundle(root) {
  execFileSync(process.execPath, [path.join(root, 'scripts/build-service.mjs'), '--if-stale'], { stdio: 'inherit' });
  return execFileSync('sh', [path.join(root, 'bin/errand'), '--version'], { encoding: 'utf8' }).trim();
}

/** @param {string} name */
function isNative(name) {
  return nativeNames.includes(name) || nativeScopes.some((scope) => name.startsWith(scope));
}

/**
 * Files of a folder, sorted; `mayEnter` decides about its folders.
 * @param {string} root
 * @param {string} folder relative to root, as are the results
 * @param {(name: string) => boolean} mayEnter
 * @returns {string[]}
 */
function walk(root, folder, mayEnter) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const place = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return mayEnter(entry.name) ? walk(root, place, mayEnter) : [];
      return entry.isFile() ? [place] : [];
    });
}

/**
 * The bundle as it was last built: its folder also keeps the chunks of earlier builds for a day.
 * @param {string} root
 */
function listBundle(root) {
  const reached = new Set(['main.js']);
  for (const name of reached) {
    const text = readFileSync(path.join(root, 'dist', name), 'utf8');
    for (const [, chunk = ''] of text.matchAll(/["'](?:\.\/)?([\w.-]+\.js)["']/g)) {
      if (existsSync(path.join(root, 'dist', chunk))) reached.add(chunk);
    }
  }
  return [...reached].toSorted().map((name) => `dist/${name}`);
}

/**
 * The packages of others that the tarball contains: all that production needs, without native ones.
 * @param {string} root
 * @returns {LockedPackage[]}
 */
function listContained(root) {
  return readLock(root).filter(({ isDev, name, path: place }) => !isDev && !isNative(name) && existsSync(path.join(root, place)));
}

/**
 * @param {string} root
 * @param {readonly LockedPackage[]} packages
 */
function listUsed(root, packages) {
  return packages.flatMap(({ path: place }) =>
    walk(root, place, (name) => !unusedFolder.test(name)).filter((file) => !unusedFile.test(file) && !unusedBuild.test(file)),
  );
}

/**
 * Files of the native packages as they are installed here, for a package of this platform alone.
 * @param {string} root
 */
export function listNativeFiles(root) {
  return listUsed(
    root,
    readLock(root).filter(({ isDev, name, path: place }) => !isDev && isNative(name) && existsSync(path.join(root, place))),
  );
}

/**
 * Every file of the tarball besides its package.json, relative to the checkout, in order. The checkout must be installed and built.
 * @param {string} root
 * @returns {string[]}
 */
export function listPackageFiles(root) {
  const own = ownFolders.flatMap((folder) => walk(root, folder, () => true)).filter((file) => !isTest(file));
  const pages = walk(root, 'docs', () => true).filter((file) => file.endsWith('.md'));
  return [...ownFiles, ...pages, ...listBundle(root), ...own, ...listUsed(root, listContained(root))];
}

/**
 * The package.json of the tarball: what all parts of the service depend on, in exact versions, most of it contained.
 * @param {string} root
 */
export function describePackage(root) {
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { name, version, license, type, bin } = read('package.json');
  const parts = [
    'package.json',
    'packages/base/package.json',
    'packages/documents/package.json',
    'packages/sandbox/package.json',
  ];
  const named = Object.assign({}, ...parts.map((file) => read(file).dependencies));
  const all = Object.keys(named).filter((one) => !one.startsWith('@errand/'));
  const versions = Object.fromEntries(readLock(root).map((entry) => [entry.path, entry.version]));
  /** @param {readonly string[]} names */
  const pin = (names) => Object.fromEntries(names.toSorted().map((one) => [one, versions[`node_modules/${one}`]]));
  return {
    name,
    version,
    description: 'A self-hosted service that runs AI agent tasks',
    license,
    type,
    bin,
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    dependencies: pin(all),
    // PDF covers need it, and nothing else.
    optionalDependencies: pin(['@napi-rs/canvas']),
    bundleDependencies: all.filter((one) => !isNative(one)).toSorted(),
  };
}
