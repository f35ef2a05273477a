/**
 * Tries the service against MCP servers that others wrote: installs them from npm into a folder that goes afterwards, connects
 * each (by command, and one by address too) and has tasks call their tools. Needs npm, the network and bubblewrap, so it is no
 * part of the tests; `npm run test:public-servers`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { callTools, checkout, startService, serviceSettings } from './running-service.mjs';

/** @typedef {{ tool: string, input: Record<string, unknown>, expected: RegExp }} Trial */
/** @typedef {{ name: string, line: string, env?: string, checks: Trial[] }} Server */

const run = promisify(execFile);
const scope = '@modelcontextprotocol';

/** @type {Trial[]} */
const everythingChecks = [
  { tool: 'echo', input: { message: 'hello there' }, expected: /hello there/ },
  { tool: 'get-sum', input: { a: 19, b: 23 }, expected: /42/ },
  { tool: 'get-tiny-image', input: {}, expected: /\[image, kept as connector-files\// },
  { tool: 'get-structured-content', input: { location: 'Chicago' }, expected: /temperature|Chicago/i },
];

/** @type {Server[]} */
const servers = [
  { name: 'everything', line: 'stdio', checks: everythingChecks },
  {
    name: 'filesystem',
    line: '/workspace',
    checks: [
      { tool: 'write_file', input: { path: '/workspace/a.txt', content: 'kept' }, expected: /wrote/i },
      { tool: 'read_text_file', input: { path: '/workspace/a.txt' }, expected: /kept/ },
      { tool: 'read_text_file', input: { path: '/etc/passwd' }, expected: /denied|outside/i },
    ],
  },
  {
    name: 'memory',
    line: '',
    env: 'MEMORY_FILE_PATH=/workspace/memory.jsonl\n',
    checks: [
      {
        tool: 'create_entities',
        input: { entities: [{ name: 'Ada', entityType: 'person', observations: ['grows beans'] }] },
        expected: /Ada/,
      },
      { tool: 'search_nodes', input: { query: 'beans' }, expected: /Ada/ },
    ],
  },
  {
    name: 'sequential-thinking',
    line: '',
    checks: [
      {
        tool: 'sequentialthinking',
        input: { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
        expected: /"thoughtNumber": 1/,
      },
    ],
  },
];

const folder = mkdtempSync(path.join(tmpdir(), 'errand-public-servers-'));
chmodSync(folder, 0o755);
const apiKey = 'sk-a-key-for-the-trial-of-servers';
const env = serviceSettings(folder, apiKey);
/** @type {(() => Promise<unknown>)[]} */
const stops = [];

/** @param {string} server */
const programOf = (server) => `node_modules/${scope}/server-${server}/dist/index.js`;

/** @param {string[]} argv @param {string} [input] */
async function command(argv, input = '') {
  const running = run(process.execPath, ['src/main.ts', ...argv, '--json'], { cwd: checkout, env });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return /** @type {{ connector: { id: string, tools: string[] } }} */ (JSON.parse(stdout));
}

/** Calls the tools of a connector. @param {string} url @param {string} id @param {string} prefix @param {Trial[]} checks */
function tryTools(url, id, prefix, checks) {
  const calls = checks.map(({ tool, input }) => ({ tool: `${prefix}${tool}`, input }));
  return callTools({ url, apiKey }, id, calls);
}

/** @param {string} label @param {Trial[]} checks @param {string[]} results */
function listVerdicts(label, checks, results) {
  return checks.map(({ tool, expected }, at) => {
    const isRight = expected.test(results[at] ?? '');
    console.log(`${isRight ? 'ok  ' : 'FAIL'}  ${label}  ${tool}${isRight ? '' : `: ${results[at]?.slice(0, 300)}`}`);
    return isRight;
  });
}

/** The one server that speaks streamable HTTP, on its own port. */
async function startEverything() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  const server = spawn(process.execPath, [programOf('everything'), 'streamableHttp'], {
    cwd: folder,
    env: { PATH: env.PATH, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  stops.push(() => {
    server.kill('SIGTERM');
    return ended;
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return url;
    await pause(100);
  }
  throw new Error('the server did not start');
}

async function tryAll() {
  const packages = servers.map(({ name }) => `${scope}/server-${name}`);
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder });
  const { url, stop } = await startService(env);
  stops.push(stop);
  const verdicts = [];
  for (const { name, line, env: given = '', checks } of servers) {
    const { version } = JSON.parse(readFileSync(path.join(folder, `node_modules/${scope}/server-${name}/package.json`), 'utf8'));
    const program = `node /opt/library/${programOf(name)} ${line}`.trim();
    const argv = ['connector', 'add-command', program, '--name', name, '--folder', folder];
    const { connector } = await command(given === '' ? argv : [...argv, '--environment-stdin'], given);
    const prefix = `mcp__${name.replaceAll('-', '_')}__`;
    const results = await tryTools(url, connector.id, prefix, checks);
    verdicts.push(...listVerdicts(`${name} ${version} (stdio, ${connector.tools.length} tools)`, checks, results));
  }
  const address = await startEverything();
  const { connector } = await command(['connector', 'add', address, '--name', 'distant']);
  const results = await tryTools(url, connector.id, 'mcp__distant__', everythingChecks);
  verdicts.push(...listVerdicts('everything (streamable HTTP)', everythingChecks, results));
  return verdicts;
}

try {
  const verdicts = await tryAll();
  console.log(`${verdicts.filter(Boolean).length} of ${verdicts.length} as expected`);
  process.exitCode = verdicts.every(Boolean) ? 0 : 1;
} finally {
  await Promise.all(stops.map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
