import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findImports, packageOf } from '../imports.mjs';
import { isTest, listFiles, readSource } from '../source-file.mjs';

/**
 * One package of the lock file; `path` is its folder, `isDev` means that production does not install it.
 * @typedef {{
 *   path: string, name: string, version: string, license: string | null, integrity: string | null, resolved: string | null,
 *   isDev: boolean, hasInstallScript: boolean, dependencies: readonly string[], platforms: readonly string[],
 * }} LockedPackage
 */

/** Where npm finds a package that it installed. */
const installFolder = 'node_modules/';

/**
 * The packages of a lock file, without those of this workspace.
 * @param {{ packages: Record<string, any> }} lock
 * @returns {LockedPackage[]}
 */
export function listPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([place, entry]) => place.includes(installFolder) && !entry.link)
    .map(([place, entry]) => ({
      path: place,
      name: place.slice(place.lastIndexOf(installFolder) + installFolder.length),
      version: entry.version,
      license: entry.license ?? null,
      integrity: entry.integrity ?? null,
      resolved: entry.resolved ?? null,
      isDev: entry.dev === true,
      hasInstallScript: entry.hasInstallScript === true,
      dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      platforms: [...(entry.os ?? []), ...(entry.cpu ?? []), ...(entry.libc ?? [])],
    }));
}

/**
 * The package that `name` means in a folder: the nearest one up the tree.
 * @param {ReadonlyMap<string, LockedPackage>} byPath
 * @param {string} folder
 * @param {string} name
 * @returns {LockedPackage | null}
 */
function resolvePackage(byPath, folder, name) {
  for (let place = folder; ; place = path.posix.dirname(place)) {
    const found = byPath.get(path.posix.join(place, installFolder, name));
    if (found || place === '.') return found ?? null;
  }
}

/**
 * What is shipped: what production installs, and what the web application's bundle contains, which npm counts as development.
 * @param {readonly LockedPackage[]} packages
 * @param {readonly string[]} bundled names of packages that the web application imports
 * @returns {LockedPackage[]}
 */
export function listShipped(packages, bundled) {
  const byPath = new Map(packages.map((entry) => [entry.path, entry]));
  const shipped = new Set(packages.filter(({ isDev }) => !isDev));
  /** @param {string} folder @param {readonly string[]} names */
  const addAll = (folder, names) => {
    for (const name of names) {
      const found = resolvePackage(byPath, folder, name);
      if (!found || shipped.has(found)) continue;
      shipped.add(found);
      addAll(found.path, found.dependencies);
    }
  };
  addAll('web', bundled);
  return packages.filter((entry) => shipped.has(entry));
}

/**
 * The packages of others that the web application imports, and its style sheet.
 * @param {string} root
 */
export function listBundled(root) {
  const files = listFiles(root, ['web/src'], /\.tsx?$/).filter((file) => !isTest(file));
  const imported = files
    .flatMap((file) => findImports(readSource(root, file)))
    .filter(({ isFile, isTypeOnly }) => !isFile && !isTypeOnly)
    .map(({ target }) => packageOf(target));
  const sheets = listFiles(root, ['web/src'], /\.css$/).map((file) => readFileSync(path.join(root, file), 'utf8'));
  const styles = sheets.flatMap((text) => [...text.matchAll(/@import ['"]([^.'"][^'"]*)['"]/g)].map(([, name = '']) => name));
  return [...new Set([...imported, ...styles.map(packageOf)])].toSorted();
}

/** @param {string} root */
export function readLock(root) {
  return listPackages(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
}
