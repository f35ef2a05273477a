import { lineAt, walkTree } from './source-file.mjs';

/**
 * @typedef {import('./source-file.mjs').Node} Node
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 * @typedef {import('./check-modules.mjs').Finding} Finding
 */

/**
 * What a file may not take out of the air: who may, and what everybody else does instead.
 * @type {readonly { names: readonly string[], allowed: RegExp, remedy: string }[]}
 */
const ambients = [
  {
    names: [
      'Date.now',
      'new Date()',
      'Date()',
      'performance.now',
      'setTimeout',
      'setInterval',
      'AbortSignal.timeout',
      'node:timers',
      'node:timers/promises',
    ],
    allowed:
      /^(packages\/base\/src\/(clock|log)|packages\/sandbox\/src\/press\/deadline|src\/tools\/browser\/driver\/deadline|src\/main)\.ts$/,
    remedy: 'Take a Clock (packages/base/src/clock.ts) as a parameter, so that tests own the time.',
  },
  {
    names: ['Math.random', 'crypto.randomUUID', 'randomUUID'],
    allowed: /^(packages\/base\/src\/ids|src\/main)\.ts$/,
    remedy: 'Ids and chance come from packages/base/src/ids.ts.',
  },
  {
    names: ['process.env', 'process'],
    allowed: /^src\/main\.ts$/,
    remedy: 'main.ts reads the environment once; take the value as a parameter.',
  },
  {
    names: ['fetch'],
    allowed: /^(packages\/base|src\/(models|cli))\//,
    remedy: 'Requests to the outside go through the one checked door in packages/base.',
  },
];

/** Names of the global object itself. */
const globals = new Set(['globalThis', 'global']);

/**
 * The dotted name a node reads, for the forms that can reach a global, or null.
 * @param {Node} node
 * @param {Node | null} parent
 * @returns {string | null}
 */
function nameRead(node, parent) {
  if (node.type === 'MemberExpression') {
    const property = node.computed ? node.property.value : node.property.name;
    const object = nameRead(node.object, null);
    if (object === null || typeof property !== 'string') return null;
    return globals.has(object) ? property : `${object}.${property}`;
  }
  if (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0) return 'new Date()';
  if (node.type === 'CallExpression' && node.callee.name === 'Date') return 'Date()';
  if (node.type === 'ImportDeclaration') return node.source.value;
  if (node.type !== 'Identifier') return null;
  const isPlainKey = (parent?.key === node || parent?.property === node) && !parent.computed;
  const isObject = parent?.type === 'MemberExpression' && parent.object === node;
  return isPlainKey || isObject ? null : node.name;
}

/**
 * The names a parameter or variable binds, through destructuring and defaults.
 * @param {Node | null} pattern
 * @returns {string[]}
 */
function boundNames(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ one) => boundNames(one.value ?? one.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames);
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

/**
 * Names that mean something of the file's own (an injected `fetch`), not the global.
 * @param {SourceFile} file
 */
function findLocalNames(file) {
  /** @type {Set<string>} */
  const names = new Set();
  walkTree(file.tree, (node) => {
    const patterns = node.type === 'VariableDeclarator' ? [node.id] : (node.params ?? []);
    if (Array.isArray(patterns)) for (const name of patterns.flatMap(boundNames)) names.add(name);
  });
  return names;
}

/**
 * Uses of time, chance, environment and network that should have been passed in.
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function findAmbientUses(file) {
  /** @type {Finding[]} */
  const findings = [];
  const localNames = findLocalNames(file);
  walkTree(file.tree, (node, parent) => {
    if (node.type.startsWith('TSType') || node.type.startsWith('TSInterface')) return false;
    const name = nameRead(node, parent);
    if (name === null || localNames.has(name)) return true;
    const rule = ambients.find(({ names, allowed }) => names.includes(name) && !allowed.test(file.path));
    if (rule)
      findings.push({ path: file.path, line: lineAt(file.text, node.start), problem: `uses ${name}`, remedy: rule.remedy });
    return true;
  });
  return findings;
}
