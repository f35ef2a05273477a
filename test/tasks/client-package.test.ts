import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const folder = createFolder('client-package');
const typesOfNode = join(checkout, 'node_modules/@types/node');
// The compiler that builds it is among the checkout's tools, as when the client is published.
const env = { ...process.env, PATH: [join(checkout, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter) };

const program = `import { createErrand, ErrandError, verifyWebhook } from '@errand/client';

const errand = createErrand({ baseUrl: process.argv[2] ?? '', apiKey: process.argv[3] ?? '' });
const { task_id } = await errand.task.create({ message: { content: 'say hello from a package' } });
const { status, message } = await errand.waitForTask(task_id);
console.log(JSON.stringify({ status, message, kinds: [typeof verifyWebhook, typeof ErrandError] }));
`;

beforeAll(async () => {
  const source = join(checkout, 'packages/client');
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, env });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const tarball = join(folder, stdout.trim());
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
});

afterAll(() => removeFolder(folder));

describe('the packed client, installed into an empty folder', () => {
  it('runs a task from JavaScript', async () => {
    writeFileSync(join(folder, 'program.js'), program);
    await using service = await ServiceProcess.start();
    const { stdout } = await run(process.execPath, [join(folder, 'program.js'), service.url, service.apiKey], { cwd: folder });
    const result = JSON.parse(stdout) as unknown;
    expect(result).toMatchObject({ status: 'stopped', message: 'hello from a package', kinds: ['function', 'function'] });
  });

  it('gives a TypeScript program its types', async () => {
    writeFileSync(join(folder, 'right.ts'), program);
    writeFileSync(join(folder, 'wrong.ts'), program.replace('content:', 'contents:'));
    const compile = (file: string) =>
      run(
        'tsc',
        [
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--module',
          'nodenext',
          '--types',
          'node',
          '--typeRoots',
          dirname(typesOfNode),
          file,
        ],
        {
          cwd: folder,
          env,
        },
      );
    await compile('right.ts');
    await expect(compile('wrong.ts')).rejects.toMatchObject({ stdout: expect.stringContaining('contents') as string });
  });

  it('includes its license and README, and no source or test', () => {
    const installed = join(folder, 'node_modules/@errand/client');
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain('@errand/client');
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(() => readFileSync(join(installed, 'src/index.ts'))).toThrow('ENOENT');
  });
});
