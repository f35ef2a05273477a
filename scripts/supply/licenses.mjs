/** Licenses that ask for no more than their text and a copyright notice, as manifests name them. */
const permissive = new Set([
  '(AFL-2.1 OR BSD-3-Clause)',
  '(MIT AND Zlib)',
  '(MIT OR EUPL-1.1+)',
  '(MIT OR GPL-3.0-or-later)',
  '0BSD',
  'Apache-2.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT OR Apache-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/**
 * Packages under a license that asks for more, each with what it is and where its source is. A name that ends with `*` is a prefix.
 * @type {readonly { name: string, licenses: readonly string[], content: string, source: string }[]}
 */
export const reciprocal = [
  {
    name: '@img/sharp-libvips-*',
    licenses: ['LGPL-3.0-or-later'],
    content:
      'libvips and the libraries it uses (among them glib, pango, libheif, librsvg, and fribidi under the LGPL, cairo under the MPL)',
    source: 'https://github.com/lovell/sharp-libvips',
  },
  {
    name: '@img/sharp-w*',
    licenses: ['Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
    content: 'sharp together with libvips, for Windows and WebAssembly',
    source: 'https://github.com/lovell/sharp',
  },
  {
    name: '@resvg/resvg-js*',
    licenses: ['MPL-2.0'],
    content: 'resvg, which draws SVG',
    source: 'https://github.com/yisibl/resvg-js',
  },
  {
    name: 'lightningcss*',
    licenses: ['MPL-2.0'],
    content: 'the tool that compresses style sheets in the build',
    source: 'https://github.com/parcel-bundler/lightningcss',
  },
  {
    name: 'axe-core',
    licenses: ['MPL-2.0'],
    content: 'the accessibility checks of the tests',
    source: 'https://github.com/dequelabs/axe-core',
  },
];

/**
 * The entry of `reciprocal` for a package, or null.
 * @param {string} name
 */
export function findReciprocal(name) {
  return (
    reciprocal.find((entry) => (entry.name.endsWith('*') ? name.startsWith(entry.name.slice(0, -1)) : name === entry.name)) ??
    null
  );
}

/**
 * The license of a package. Builds for one platform may leave it out; then it is that of the package they belong to.
 * @param {import('./lock-file.mjs').LockedPackage} entry
 * @param {readonly import('./lock-file.mjs').LockedPackage[]} packages
 * @returns {string | null}
 */
export function licenseOf(entry, packages) {
  if (entry.license !== null || entry.platforms.length === 0) return entry.license;
  return packages.find(({ dependencies }) => dependencies.includes(entry.name))?.license ?? null;
}

/**
 * Packages whose license nobody has agreed to.
 * @param {readonly import('./lock-file.mjs').LockedPackage[]} packages
 * @returns {string[]}
 */
export function checkLicenses(packages) {
  return packages.flatMap((entry) => {
    const license = licenseOf(entry, packages);
    if (license !== null && (permissive.has(license) || findReciprocal(entry.name)?.licenses.includes(license))) return [];
    return [
      `${entry.name}@${entry.version} has the license ${license ?? '(none)'}, which scripts/supply/licenses.mjs does not list`,
    ];
  });
}
