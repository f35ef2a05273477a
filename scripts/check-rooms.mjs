import path from 'node:path';
import { findAmbientUses } from './ambient-uses.mjs';
import { findCycles, findImports, packageOf } from './imports.mjs';
import { doors, everywhere } from './package-doors.mjs';
import { isTest, listFiles, readSource } from './source-file.mjs';
import { judgeWebImport } from './web-rooms.mjs';

/**
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 * @typedef {import('./imports.mjs').Import} Import
 * @typedef {{ path: string, line: number, problem: string, remedy: string }} Finding
 * @typedef {string | { room: string, typesOnly?: boolean, because: string }} Edge
 */

/**
 * Which room may import which. A room is the first folder under src, or a file directly in it. An edge that breaks the
 * pattern is written as an object and says why it is there.
 * @type {Record<string, readonly Edge[]>}
 */
export const rooms = {
  base: [],
  rules: ['base'],
  store: ['base', 'rules'],
  models: ['base', 'rules'],
  sandbox: ['base', 'rules'],
  makers: ['base'],
  skills: ['base', 'rules', 'store', 'sandbox'],
  tools: ['base', 'rules', 'store', 'models', 'sandbox', 'makers'],
  connectors: ['base', 'rules', 'store', 'sandbox', 'tools'],
  agent: ['base', 'rules', 'models', 'sandbox', 'tools'],
  bridges: ['base', 'rules', 'store'],
  work: ['base', 'rules', 'store', 'models', 'sandbox', 'tools', 'agent'],
  api: ['base', 'rules', 'store'],
  legacy: ['base', 'rules', 'store', 'api'],
  sso: ['base', 'rules'],
  oauth: [
    'base',
    'rules',
    'store',
    'sso',
    { room: 'api', because: 'pages take names, addresses and passwords as operations do' },
  ],
  mcp: ['base'],
  http: ['base', 'rules', 'store', 'api', 'legacy', 'oauth', 'mcp'],
  cli: ['base', 'config', 'app', 'mcp', { room: 'api', typesOnly: true, because: 'commands print what operations answer' }],
  config: ['base', 'rules'],
  app: [
    'base',
    'rules',
    'store',
    'models',
    'sandbox',
    'makers',
    'tools',
    'agent',
    'work',
    'api',
    'oauth',
    'sso',
    'http',
    'config',
    'skills',
    'connectors',
    'bridges',
  ],
  main: ['base', 'config', 'app', 'cli'],
};

const bannedWords = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'types', 'manager', 'managers', 'misc']);

/** @param {string} filePath */
export function roomOf(filePath) {
  const [top, first = '', ...rest] = filePath.split('/');
  if (top !== 'src') return filePath;
  return rest.length > 0 ? first : first.replace(/(\.test)?\.ts$/, '');
}

/**
 * @param {string} room
 * @returns {string}
 */
function describeAllowance(room) {
  const names = (rooms[room] ?? []).map((edge) => (typeof edge === 'string' ? edge : edge.room));
  return names.length > 0 ? `${room} may import ${names.join(', ')}` : `${room} may import no other room`;
}

/**
 * @param {string} from room
 * @param {string} to room
 * @param {boolean} isTypeOnly
 */
function isEdgeAllowed(from, to, isTypeOnly) {
  if (from === to) return true;
  return (rooms[from] ?? []).some((edge) => {
    if (typeof edge === 'string') return edge === to;
    return edge.room === to && (isTypeOnly || !edge.typesOnly);
  });
}

/**
 * @param {string} room
 * @param {Import} found
 * @returns {Pick<Finding, 'problem' | 'remedy'> | null}
 */
function checkFileImport(room, found) {
  const to = roomOf(found.target);
  if (isTest(found.target) || !(to in rooms)) {
    return { problem: `${room} → ${found.target}`, remedy: 'src imports only rooms of src; move what both need into a room.' };
  }
  if (isEdgeAllowed(room, to, found.isTypeOnly)) return null;
  const remedy = `${describeAllowance(room)}. Move the code down, or let app.ts pass it in.`;
  return { problem: `${room} → ${to} (imports ${found.target})`, remedy };
}

/**
 * @param {string} room
 * @param {string} name of a package
 * @returns {Pick<Finding, 'problem' | 'remedy'> | null}
 */
function checkPackageImport(room, name) {
  const door = doors[name] ?? doors[name.replace(/\/.*/, '/')];
  if (door === everywhere || door?.includes(room)) return null;
  const remedy = door
    ? `Only ${door.join(', ')} may use it; call that room, or let app.ts pass it in.`
    : 'It has no door yet: name its rooms in the table of scripts/package-doors.mjs.';
  return { problem: `${room} → ${name}`, remedy };
}

/**
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function checkImports(file) {
  const room = roomOf(file.path);
  return findImports(file).flatMap((found) => {
    const name = packageOf(found.target);
    const trouble = file.path.startsWith('web/')
      ? judgeWebImport(file.path, found, name)
      : found.isFile
        ? checkFileImport(room, found)
        : checkPackageImport(room, name);
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
  if (filePath.startsWith('src/') && !(roomOf(filePath) in rooms)) {
    return report(
      `unknown room ${roomOf(filePath)}`,
      'Put it into a room, or give a new room its row in scripts/check-rooms.mjs.',
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
 * Every finding of a checkout.
 * @param {string} root
 */
export function checkRooms(root) {
  const named = listFiles(root, ['src', 'test', 'scripts', 'bench', 'web/src'], /\.(tsx?|mjs)$/);
  const files = named.filter((file) => /^(src|web\/src)\//.test(file) && !isTest(file)).map((file) => readSource(root, file));
  const service = files.filter((file) => file.path.startsWith('src/'));
  const findings = [...named.flatMap(checkName), ...files.flatMap(checkImports), ...service.flatMap(findAmbientUses)];
  for (const cycle of findCycles(files)) {
    const remedy = 'Move what both sides need into a file of its own.';
    findings.push({ path: cycle[0] ?? '', line: 1, problem: `import cycle: ${cycle.join(' → ')}`, remedy });
  }
  return { fileCount: files.length, findings };
}

if (import.meta.main) {
  const { fileCount, findings } = checkRooms(process.cwd());
  for (const { path: file, line, problem, remedy } of findings) console.error(`${file}:${line}  ${problem}\n    ${remedy}`);
  console.log(
    `rooms: ${fileCount} files, ${findings.length === 0 ? 'every import allowed, no cycle' : `${findings.length} findings`}`,
  );
  if (findings.length > 0) process.exitCode = 1;
}
