import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The settings of this machine, by which npm reaches its registry, without what the npm that runs the tests says of the checkout. */
const machine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(package|lifecycle|config_\w*prefix)|INIT_CWD)/.test(name)),
);
const largestMb = 250;

describe('the package, installed into an empty folder', () => {
  const folder = createFolder('package');
  const installed = join(folder, 'node_modules/errand');
  // A newcomer's: nothing of the checkout is in reach.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    ERRAND_MODEL: 'offline/offline-1',
    ERRAND_PORT: '0',
    ERRAND_CONTENT_PORT: '0',
  };
  const here = { cwd: folder, env, maxBuffer: 16_000_000 };

  beforeAll(async () => {
    await run(process.execPath, ['scripts/release/pack.mjs', folder], { cwd: checkout });
    const [tarball = ''] = readdirSync(folder);
    // A registry that stops answering is asked again, instead of after five minutes as by default.
    const patience = ['--fetch-timeout=30000', '--fetch-retries=5'];
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quietly, ...patience, `./${tarball}`], { cwd: folder, env: machine });
  });
  afterAll(() => removeFolder(folder));

  it(`takes less than ${largestMb} MB, and npm adds only packages with builds for this platform`, () => {
    const added = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(added.toSorted()).toEqual(['@img', '@napi-rs', '@resvg', 'detect-libc', 'errand', 'semver', 'sharp']);
    const [kilobytes = ''] = execFileSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' }).split('\t');
    expect(Number(kilobytes) / 1024).toBeLessThan(largestMb);
  });

  it('names its version and the commit it was built from', async () => {
    const { stdout } = await run('npx', ['errand', '--version'], here);
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).slice(0, 12);
    expect(stdout.trim().replace('+changes', '')).toMatch(new RegExp(`^${version} \\([0-9a-f]{12}\\)$`));
    // Sources that were not built since are the earlier commit's; a fresh checkout builds its own.
    if (process.env['CI'] === 'true') expect(stdout).toContain(commit);
  });

  it('finishes a first task in one command, with a file and a chart', async () => {
    writeFileSync(join(folder, 'sales.csv'), 'month,sales\nMay,3\nJune,5\n');
    const lines = 'write hello.md with Hello\nchart sales.png from attachments/sales.csv';
    await run('npx', ['errand', 'run', lines, '--file', 'sales.csv', '--out', 'results'], here);
    expect(readFileSync(join(folder, 'results/hello.md'), 'utf8')).toContain('Hello');
    expect(readdirSync(join(folder, 'results'))).toContain('sales.png');
  });

  it('finds everything that errand doctor finds in the checkout', async () => {
    const check = async (program: string) => {
      const { stdout } = await run('sh', [program, 'doctor', '--json'], here);
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] };
      return checks.map(({ name, state }) => `${name}: ${state}`);
    };
    expect(await check(join(installed, 'bin/errand'))).toEqual(await check(join(checkout, 'bin/errand')));
  });

  it('serves the API and the web application, and stops in order', async () => {
    await using service = await ServiceProcess.start({ script: join(installed, 'dist/main.js') });
    const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ message: { content: 'say Hello' } });
    expect((await fetch(`${service.url}/v2/task.create`, { method: 'POST', headers, body })).status).toBe(200);
    const page = readFileSync(join(installed, 'web/dist/index.html'), 'utf8');
    const [, script = ''] = /src="(\/assets\/index-[^"]+)"/.exec(page) ?? [];
    expect((await fetch(service.url + script)).headers.get('content-type')).toContain('javascript');
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });
});
