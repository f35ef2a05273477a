import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packages } from './module-table.mjs';
import { lineAt, walkTree } from './source-file.mjs';

/**
 * @typedef {import('./source-file.mjs').Node} Node
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 *
 * One import of a file: `target` is a path relative to the checkout when `isFile`, else a package specifier.
 * @typedef {{ target: string, isFile: boolean, isTypeOnly: boolean, line: number }} Import
 */

const importingNodes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/**
 * What each package of this workspace lets others import, as its manifest says: files below `packages/<name>`, by subpath.
 * @type {Map<string, Record<string, string>>}
 */
const exportsByPackage = new Map(
  packages.map((name) => {
    const manifest = new URL(`../packages/${name}/package.json`, import.meta.url);
    return [name, JSON.parse(readFileSync(manifest, 'utf8')).exports];
  }),
);

/**
 * The file that a specifier leads to, `closed` for one that its package does not export, null for other packages.
 * @param {string} specifier
 */
function findPart(specifier) {
  const [, name = '', rest = ''] = /^@errand\/([^/]+)(.*)$/.exec(specifier) ?? [];
  const exported = exportsByPackage.get(name);
  if (!exported) return null;
  const pattern = exported['./*'];
  const target = exported[`.${rest}`] ?? (rest === '' ? undefined : pattern?.replace('*', rest.slice(1)));
  return target === undefined ? 'closed' : path.posix.join('packages', name, target);
}

/** @param {Node} node */
function isTypeOnly(node) {
  if (node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type') return true;
  /** @type {Node[]} */
  const specifiers = node.specifiers ?? [];
  return specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type');
}

/**
 * Everything a file imports or re-exports, types and dynamic imports included.
 * @param {SourceFile} file
 * @returns {Import[]}
 */
export function findImports(file) {
  /** @type {Import[]} */
  const found = [];
  walkTree(file.tree, (node) => {
    if (!importingNodes.has(node.type) || !node.source) return;
    const line = lineAt(file.text, node.start);
    const specifier = node.source.value;
    if (typeof specifier !== 'string') throw new Error(`${file.path}:${line} imports a computed path, which nothing can check`);
    const part = findPart(specifier);
    if (part === 'closed') throw new Error(`${file.path}:${line} imports ${specifier}, which its package does not export`);
    const isFile = specifier.startsWith('.') || part !== null;
    const target = part ?? (isFile ? path.posix.join(path.posix.dirname(file.path), specifier) : specifier);
    found.push({ target, isFile, isTypeOnly: isTypeOnly(node), line });
  });
  return found;
}

/**
 * The package of a specifier: `node:fs/promises` is `node:fs`, `@scope/name/part` is `@scope/name`.
 * @param {string} specifier
 */
export function packageOf(specifier) {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Import cycles between the given files, each as the paths from a file back to itself.
 * @param {readonly SourceFile[]} files
 * @returns {string[][]}
 */
export function findCycles(files) {
  const targets = new Map(files.map((file) => [file.path, findImports(file).map((found) => found.target)]));
  /** @type {Map<string, 'open' | 'done'>} */
  const states = new Map();
  /** @type {string[]} */
  const trail = [];
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} file */
  const visit = (file) => {
    states.set(file, 'open');
    trail.push(file);
    for (const target of targets.get(file) ?? []) {
      if (states.get(target) === 'open') cycles.push([...trail.slice(trail.indexOf(target)), target]);
      else if (!states.has(target)) visit(target);
    }
    trail.pop();
    states.set(file, 'done');
  };
  for (const { path: file } of files) if (!states.has(file)) visit(file);
  return cycles;
}
