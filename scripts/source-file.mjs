import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/**
 * A node of the syntax tree (ESTree with TypeScript nodes).
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 *
 * A parsed file; `path` is relative to the checkout and has forward slashes.
 * @typedef {{ path: string, text: string, tree: Node }} SourceFile
 */

/**
 * Paths of all files under the given folders whose name ends as asked, sorted, relative to `root`. What is built or installed is left out; a missing folder is empty.
 * @param {string} root
 * @param {readonly string[]} folders
 * @param {RegExp} name
 * @returns {string[]}
 */
export function listFiles(root, folders, name) {
  /** @param {string} folder @returns {string[]} */
  const list = (folder) => {
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && name.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep))
      .filter((parts) => !parts.includes('node_modules') && !parts.includes('dist'))
      .map((parts) => parts.join('/'));
  };
  return folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap(list)
    .toSorted();
}

/**
 * @param {string} filePath relative to the checkout
 * @param {string} text
 * @returns {SourceFile}
 */
export function parseSource(filePath, text) {
  const { program, errors } = parseSync(filePath, text);
  if (errors[0]) throw new Error(`${filePath} cannot be parsed: ${errors[0].message}`);
  return { path: filePath, text, tree: program };
}

/**
 * @param {string} root
 * @param {string} filePath relative to the checkout
 */
export function readSource(root, filePath) {
  return parseSource(filePath, readFileSync(path.join(root, filePath), 'utf8'));
}

/**
 * Visits every node, parents first; a visitor that answers `false` keeps the walk out of that node.
 * @param {Node} node
 * @param {(node: Node, parent: Node | null) => boolean | void} visit
 * @param {Node | null} [parent]
 */
export function walkTree(node, visit, parent = null) {
  if (visit(node, parent) === false) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walkTree(child, visit, node);
    }
  }
}

/**
 * The line of a position, counted from 1.
 * @param {string} text
 * @param {number} position
 */
export function lineAt(text, position) {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** @param {string} filePath */
export function isTest(filePath) {
  return /\.test\.(tsx?|mjs)$/.test(filePath);
}
