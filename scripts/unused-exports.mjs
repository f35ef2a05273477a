import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lineAt, walkTree } from './source-file.mjs';

/**
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 * @typedef {{ name: string, start: number }} ExportedValue
 */

const declarations = new Set(['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclaration']);

/**
 * The functions, classes and constants that a file exports where it declares them.
 * @param {SourceFile} file
 * @returns {ExportedValue[]}
 */
function listExportedValues({ tree }) {
  /** @type {ExportedValue[]} */
  const found = [];
  walkTree(tree, (node) => {
    if (node.type === 'Program') return true;
    const { declaration } = node;
    if (node.type !== 'ExportNamedDeclaration' || !declarations.has(declaration?.type)) return false;
    for (const { id } of declaration.declarations ?? [declaration]) {
      if (id?.type === 'Identifier') found.push({ name: id.name, start: node.start });
    }
    return false;
  });
  return found;
}

/**
 * Exported values whose name is in no other file. A name that two files share is let through: this looks at words, not at imports.
 * @param {readonly SourceFile[]} files whose exports are looked at
 * @param {readonly string[]} texts of all files that may import them, these included
 */
export function findUnusedExports(files, texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) {
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return files.flatMap((file) =>
    listExportedValues(file)
      .filter(({ name }) => (counts.get(name) ?? 0) < 2)
      .map(({ name, start }) => ({ path: file.path, line: lineAt(file.text, start), name })),
  );
}

/** Their exports are for programs of others. */
const published = /^packages\/(client|react)\//;

/**
 * The findings of `check-modules.mjs` about exports.
 * @param {string} root
 * @param {readonly SourceFile[]} files
 * @param {readonly string[]} paths of all files that may import from them
 */
export function checkExports(root, files, paths) {
  const texts = paths.map((file) => readFileSync(path.join(root, file), 'utf8'));
  const own = files.filter((file) => !published.test(file.path));
  return findUnusedExports(own, texts).map(({ name, ...place }) => ({
    ...place,
    problem: `${name} is exported, and no other file uses it`,
    remedy: 'Take the export away, or the code if nothing here uses it either.',
  }));
}
