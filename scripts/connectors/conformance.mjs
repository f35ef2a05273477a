/**
 * Runs the client scenarios of the public conformance kit of MCP against the service: installs the kit from npm into a folder that goes
 * afterwards. Needs npm and the network, so it is no part of the tests; `npm run test:conformance`, with options of the kit behind `--`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { WebBrowser } from '../../test/support/http/scriptless-browser.ts';
import { startService, serviceSettings } from './running-service.mjs';

const kit = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const apiKey = 'sk-a-key-for-the-trial-of-servers';
const owner = { email: 'owner@example.com', password: 'a long password of the owner' };
const client = path.join(import.meta.dirname, 'conformance-client.mjs');
const known = path.join(import.meta.dirname, 'expected-failures.yml');

/** @param {string} url */
async function signIn(url) {
  const browser = new WebBrowser(url);
  await browser.signIn(owner.email, owner.password);
  return JSON.stringify([...browser.cookies]);
}

/** @param {string} folder @param {string[]} options */
async function runKit(folder, options) {
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', kit]);
  const settings = serviceSettings(folder, apiKey);
  const bootstrap = { ERRAND_BOOTSTRAP_EMAIL: owner.email, ERRAND_BOOTSTRAP_PASSWORD: owner.password, ERRAND_RATE_LIMITS: 'off' };
  const service = await startService({ ...settings, ...bootstrap, ERRAND_LOG: 'warn' });
  // A name, because cookies and redirect URIs belong to that of the service.
  const url = service.url.replace('127.0.0.1', 'localhost');
  const program = path.join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = [
    'client',
    '--command',
    `${process.execPath} ${client}`,
    '--expected-failures',
    known,
    '--timeout',
    '90000',
    ...options,
  ];
  const env = { ...settings, ERRAND_URL: url, ERRAND_API_KEY: apiKey, ERRAND_COOKIES: await signIn(url) };
  const running = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: 'inherit' });
  const [code] = await once(running, 'exit');
  await service.stop();
  return Number(code ?? 1);
}

const given = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'errand-conformance-'));
try {
  process.exitCode = await runKit(folder, given.length > 0 ? given : ['--suite', 'all']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
