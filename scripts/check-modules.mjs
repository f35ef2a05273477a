import path from 'node:path';
import { findAmbientUses } from './ambient-uses.mjs';
import { findCycles, findImports, packageOf } from './imports.mjs';
import { modules, orders } from './module-table.mjs';
import { everywhere, owners } from './package-owners.mjs';
import { isTest, listFiles, readSource } from './source-file.mjs';
import { checkExports } from './unused-exports.mjs';
import { checkWebImport } from './web-modules.mjs';

/**
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 * @typedef {import('./imports.mjs').Import} Import
 * @typedef {{ path: string, line: number, problem: string, remedy: string }} Finding
 */

/** More files than this in one folder, and nobody finds the right one by looking. */
const filesPerFolder = 25;

const bannedWords = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'types', 'manager', 'managers', 'misc']);

/** @param {string} filePath */
function moduleOf(filePath) {
  const [top, first = '', ...rest] = filePath.split('/');
  if (top === 'packages') return first;
  if (top !== 'src') return filePath;
  return rest.length > 0 ? first : first.replace(/(\.test)?\.ts$/, '');
}

/** @param {import('./module-table.mjs').Allowance} allowance */
const nameOf = (allowance) => (typeof allowance === 'string' ? allowance : allowance.module);

/**
 * @param {string} module
 * @returns {string}
 */
function describeAllowances(module) {
  const names = (modules[module] ?? []).map(nameOf);
  return names.length > 0 ? `${module} may import ${names.join(', ')}` : `${module} may import no other module`;
}

/**
 * @param {string} from module
 * @param {string} to module
 * @param {boolean} isTypeOnly
 */
function isAllowed(from, to, isTypeOnly) {
  if (from === to) return true;
  return (modules[from] ?? []).some(
    (allowance) => nameOf(allowance) === to && (typeof allowance === 'string' || isTypeOnly || !allowance.typesOnly),
  );
}

/**
 * A file's rank in the order of a folder: its position, above all folders when it is not named, null when it is elsewhere.
 * @param {string} folder
 * @param {string} filePath
 */
function positionIn(folder, filePath) {
  if (!filePath.startsWith(`${folder}/`)) return null;
  const [child = ''] = filePath.slice(folder.length + 1).split('/');
  const at = orders[folder]?.indexOf(child) ?? -1;
  return { child, at: at === -1 ? Infinity : at };
}

/**
 * An import that runs up the order of a folder's children.
 * @param {string} from path
 * @param {string} to path
 * @returns {Pick<Finding, 'problem' | 'remedy'> | null}
 */
function checkOrder(from, to) {
  for (const folder of Object.keys(orders)) {
    const [lower, upper] = [positionIn(folder, from), positionIn(folder, to)];
    if (!lower || !upper || lower.child === upper.child || lower.at >= upper.at) continue;
    const problem = `${folder}: ${lower.child} → ${upper.child} runs upward (imports ${to})`;
    return { problem, remedy: `${lower.child} stands below ${upper.child} in scripts/module-table.mjs. Move the code down.` };
  }
  return null;
}

/**
 * @param {string} from path
 * @param {Import} found
 * @returns {Pick<Finding, 'problem' | 'remedy'> | null}
 */
function checkFileImport(from, found) {
  const [module, to] = [moduleOf(from), moduleOf(found.target)];
  if (isTest(found.target) || !(to in modules)) {
    return {
      problem: `${module} → ${found.target}`,
      remedy: 'The service imports only its own modules; move what both need into one.',
    };
  }
  if (isAllowed(module, to, found.isTypeOnly)) return checkOrder(from, found.target);
  const remedy = `${describeAllowances(module)}. Move the code down, or let app pass it in.`;
  return { problem: `${module} → ${to} (imports ${found.target})`, remedy };
}

/** @param {string} name of a package */
const ownersOf = (name) => (name in owners ? name : name.replace(/\/.*/, '/'));

/**
 * @param {string} module
 * @param {string} name of a package
 * @returns {Pick<Finding, 'problem' | 'remedy'> | null}
 */
function checkPackageImport(module, name) {
  const allowed = owners[ownersOf(name)];
  if (allowed === everywhere || allowed?.includes(module)) return null;
  const remedy = allowed
    ? `Only ${allowed.join(', ')} may use it; call that module, or let app pass it in.`
    : 'It has no owner yet: name its modules in the table of scripts/package-owners.mjs.';
  return { problem: `${module} → ${name}`, remedy };
}

/**
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function checkImports(file) {
  const module = moduleOf(file.path);
  return findImports(file).flatMap((found) => {
    const name = packageOf(found.target);
    const trouble = file.path.startsWith('web/')
      ? checkWebImport(file.path, found, name)
      : found.isFile
        ? checkFileImport(file.path, found)
        : checkPackageImport(module, name);
    return trouble ? [{ path: file.path, line: found.line, ...trouble }] : [];
  });
}

/**
 * @param {string} filePath
 * @returns {Finding[]}
 */
export function checkName(filePath) {
  /** @param {string} problem @param {string} remedy */
  const report = (problem, remedy) => [{ path: filePath, line: 1, problem, remedy }];
  if (filePath.startsWith('src/') && !(moduleOf(filePath) in modules)) {
    return report(
      `unknown module ${moduleOf(filePath)}`,
      'Put it into a module, or give a new one its row in scripts/module-table.mjs.',
    );
  }
  for (const [folder, children] of Object.entries(orders)) {
    const child = positionIn(folder, filePath)?.child ?? '';
    if (child === '' || child.includes('.') || children.includes(child)) continue;
    return report(
      `unknown folder ${child} in ${folder}`,
      'Use a subject that is there, or give it its place in scripts/module-table.mjs.',
    );
  }
  for (const part of filePath.split('/')) {
    const word = part.split(/[.-]/).find((piece) => bannedWords.has(piece));
    if (word) return report(`named ${word}`, 'Name it after what it holds; a drawer for anything has no owner.');
  }
  const name = path.posix.basename(filePath);
  const isWireName = filePath.startsWith('src/api/') && /^[a-z]\w*\.[a-z][A-Za-z]*(\.test)?\.ts$/.test(name);
  if (!isWireName && !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.(tsx?|mjs)$/.test(name)) {
    return report('named unlike its neighbours', 'Use a kebab-case noun; only operations in src/api carry their wire name.');
  }
  return [];
}

/**
 * Folders in which too many files stand to find one by looking.
 * @param {readonly string[]} paths
 * @returns {Finding[]}
 */
export function checkFolders(paths) {
  const counts = Map.groupBy(paths, (file) => path.posix.dirname(file));
  return Array.from(counts, ([folder, files]) => ({ folder, count: files.length }))
    .filter(({ count }) => count > filesPerFolder)
    .map(({ folder, count }) => ({
      path: folder,
      line: 1,
      problem: `holds ${count} files, ${filesPerFolder} are allowed`,
      remedy: 'Cut it by subject.',
    }));
}

/**
 * Rows of the tables that no import needs.
 * @param {readonly SourceFile[]} files of the service
 * @returns {Finding[]}
 */
export function findUnusedAllowances(files) {
  const used = new Set(
    files.flatMap((file) =>
      findImports(file).map(({ target, isFile }) =>
        isFile ? `${moduleOf(file.path)} → ${moduleOf(target)}` : `${moduleOf(file.path)} → ${ownersOf(packageOf(target))}`,
      ),
    ),
  );
  const edges = Object.entries(modules).flatMap(([module, allowances]) =>
    allowances.map((allowance) => ({ path: 'scripts/module-table.mjs', edge: `${module} → ${nameOf(allowance)}` })),
  );
  const uses = Object.entries(owners).flatMap(([name, allowed]) =>
    allowed === everywhere ? [] : allowed.map((module) => ({ path: 'scripts/package-owners.mjs', edge: `${module} → ${name}` })),
  );
  return [...edges, ...uses]
    .filter(({ edge }) => !used.has(edge))
    .map(({ path: file, edge }) => ({
      path: file,
      line: 1,
      problem: `${edge} is allowed and not used`,
      remedy: 'Take the row out.',
    }));
}

const sourceFolders = ['src', 'packages', 'test', 'scripts', 'bench', 'web/src'];

/**
 * Every finding of a checkout.
 * @param {string} root
 */
export function checkModules(root) {
  const named = listFiles(root, sourceFolders, /\.(tsx?|mjs)$/);
  const product = named.filter((file) => !isTest(file));
  const read = product.filter((file) => /^(src|packages|web\/src)\//.test(file)).map((file) => readSource(root, file));
  const service = read.filter((file) => moduleOf(file.path) in modules);
  const files = [...service, ...read.filter((file) => file.path.startsWith('web/'))];
  const findings = [
    ...named.flatMap(checkName),
    ...checkFolders(product),
    ...files.flatMap(checkImports),
    ...service.flatMap(findAmbientUses),
    ...findUnusedAllowances(service),
    ...checkExports(root, read, named),
  ];
  for (const cycle of findCycles(read)) {
    const remedy = 'Move what both sides need into a file of its own.';
    findings.push({ path: cycle[0] ?? '', line: 1, problem: `import cycle: ${cycle.join(' → ')}`, remedy });
  }
  return { fileCount: files.length, findings };
}

if (import.meta.main) {
  const { fileCount, findings } = checkModules(process.cwd());
  for (const { path: file, line, problem, remedy } of findings) console.error(`${file}:${line}  ${problem}\n    ${remedy}`);
  console.log(
    `modules: ${fileCount} files, ${findings.length === 0 ? 'every import allowed and downward, no cycle' : `${findings.length} findings`}`,
  );
  if (findings.length > 0) process.exitCode = 1;
}
