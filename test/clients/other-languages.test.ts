import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';

const run = promisify(execFile);
const clients = fileURLToPath(new URL('../../clients', import.meta.url));
const folder = createFolder('clients');
const timeout = 300_000;

/** Debian's programs, not others that come first in the path. */
const [python, mypy, go] = ['/usr/bin/python3', '/usr/bin/mypy', '/usr/bin/go'] as const;
const hasHttpx = existsSync('/usr/lib/python3/dist-packages/httpx');

function readBlocks(language: string): string[] {
  const page = readFileSync(new URL('../../docs/build/python-and-go.md', import.meta.url), 'utf8');
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

let service: LocalService;
const env = () => ({
  PATH: '/usr/bin:/bin',
  HOME: folder,
  ERRAND_URL: service.url,
  ERRAND_API_KEY: service.apiKey,
  KEY: service.apiKey,
  PYTHONPATH: join(clients, 'python'),
  PYTHONDONTWRITEBYTECODE: '1',
});

beforeAll(async () => {
  const settings = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true', ERRAND_RATE_LIMITS: 'off' };
  service = await LocalService.start({ env: settings });
});
afterAll(async () => {
  await service.end();
  removeFolder(folder);
});

describe.runIf(hasHttpx)('the Python client', () => {
  it('passes its tests against a running service', async () => {
    const { stderr } = await run(python, ['-m', 'unittest', '-v', 'tests.test_client'], {
      cwd: join(clients, 'python'),
      env: env(),
      timeout,
    });
    expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
    expect(stderr).not.toContain('skipped');
  });

  it('runs the programs of its page', async () => {
    const outputs: string[] = [];
    for (const block of readBlocks('python')) {
      const program = `import os\nKEY = os.environ["KEY"]\n${block}`.replaceAll('http://localhost:7070', service.url);
      outputs.push((await run(python, ['-c', program], { env: env(), timeout })).stdout);
    }
    expect(outputs[0]).toMatch(/^stopped Done: wrote hello\.md\n(event \w+\n)+$/);
    expect(outputs[1]).toBe('0\n1\n2\n');
  });

  it.runIf(existsSync(mypy))('is typed: mypy accepts it and finds a wrong field', async () => {
    const check = (...files: string[]) =>
      run(mypy, ['--strict', '--enable-incomplete-feature=Unpack', `--cache-dir=${folder}/mypy`, ...files], {
        cwd: join(clients, 'python'),
        env: env(),
        timeout,
      });
    expect((await check('errand', 'tests')).stdout).toContain('Success');
    const wrong = join(folder, 'wrong.py');
    writeFileSync(wrong, 'from errand import Errand\nErrand(api_key="x").task.create(mesage={"content": "x"})\n');
    await expect(check(wrong)).rejects.toMatchObject({ stdout: expect.stringContaining('mesage') as string });
  });
});

describe.runIf(existsSync(go))('the Go client', () => {
  const goEnv = () => ({ ...env(), GOCACHE: join(folder, 'go-cache'), GOPATH: join(folder, 'go'), GOFLAGS: '-mod=mod' });

  it('is formatted, passes its tests against a running service, and runs the program of its page', async () => {
    const { stdout: unformatted } = await run('/usr/bin/gofmt', ['-l', '.'], { cwd: join(clients, 'go'), env: goEnv() });
    expect(unformatted).toBe('');
    // A copy, so that nothing is written into the checkout.
    const [library, program] = [join(folder, 'errand'), join(folder, 'program')];
    cpSync(join(clients, 'go'), library, { recursive: true });
    const { stdout } = await run(go, ['test', '-v', './...'], { cwd: library, env: goEnv(), timeout });
    expect(stdout).toMatch(/^--- PASS: /m);
    expect(stdout).not.toMatch(/^--- (FAIL|SKIP): /m);
    mkdirSync(program);
    const [block = ''] = readBlocks('go');
    writeFileSync(join(program, 'main.go'), block.replaceAll('http://localhost:7070', service.url));
    writeFileSync(
      join(program, 'go.mod'),
      `module program\n\ngo 1.19\n\nrequire errand v0.0.0\n\nreplace errand => ${library}\n`,
    );
    const played = await run(go, ['run', '.'], { cwd: program, env: goEnv(), timeout });
    expect(played.stdout).toBe('stopped Done: wrote hello.md\n');
  });
});
