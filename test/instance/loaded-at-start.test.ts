import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

// What an idle service holds is mostly what it has loaded, so this is its budget of memory (docs/operate/performance.md). Something new
// belongs behind an import() where it is first used; what every service needs from the start is added here, on purpose.

const packages = [
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  '@pinojs/redact',
  'abstract-logging',
  'atomic-sleep',
  'avvio',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fastify',
  'fastq',
  'find-my-way',
  'ipaddr.js',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'process-warning',
  'quick-format-unescaped',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'safe-stable-stringify',
  'secure-json-parse',
  'semver',
  'sonic-boom',
  'thread-stream',
  'toad-cache',
  'zod',
];

/** A few more than there are. */
const mostOwnModules = { main: 1253, database: 305 };

const recorder = fileURLToPath(new URL('../support/process/module-recorder.ts', import.meta.url));
const folder = createFolder('modules');
const record = join(folder, 'record');
const main: string[] = [];
const database: string[] = [];
let insideNode: string[] = [];

function readRecord(): string[][] {
  return readFileSync(record, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
}

beforeAll(async () => {
  const env = { NODE_OPTIONS: `--import=${recorder}`, MODULE_RECORD: record };
  await using service = await ServiceProcess.start({ env, script: 'src/main.ts' });
  for (const [thread, name = ''] of readRecord()) (thread === '0' ? main : database).push(name);
  await service.kill('SIGTERM');
  insideNode = readRecord().flatMap(([, kind, name = '']) => (kind === 'NativeModule' ? [name] : []));
});

afterAll(() => removeFolder(folder));

function findPackages(modules: readonly string[]): string[] {
  const names = modules.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

function countOwn(modules: readonly string[]): number {
  return new Set(modules.filter((url) => !url.includes('/node_modules/') && /\/src\/.*\.ts$/.test(url))).size;
}

it('a service has loaded these packages when it is ready, and its database thread none', () => {
  expect(findPackages(main)).toEqual(packages);
  expect(findPackages(database)).toEqual([]);
});

it('a service that is ready has loaded few unused files', () => {
  expect(countOwn(main)).toBeLessThanOrEqual(mostOwnModules.main);
  expect(countOwn(main)).toBeGreaterThan(mostOwnModules.main / 2);
  expect(countOwn(database)).toBeLessThanOrEqual(mostOwnModules.database);
  expect(countOwn(database)).toBeGreaterThan(mostOwnModules.database / 2);
});

it('a service that calls nothing does not have the built-in fetch in memory', () => {
  expect(insideNode).toContain('http');
  expect(insideNode.filter((name) => name.includes('undici'))).toEqual([]);
});
