import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';

const launcher = fileURLToPath(new URL('../../bin/errand', import.meta.url));
let root: string;

/** A file that is this many seconds old. */
function write(path: string, ageS: number): void {
  const file = join(root, path);
  writeFileSync(file, `console.log(${JSON.stringify(path)}, ...process.argv.slice(2));`);
  const time = Date.now() / 1000 - ageS;
  utimesSync(file, time, time);
}

beforeEach(() => {
  root = createFolder('launcher');
  for (const folder of ['bin', 'dist', 'node_modules/.bin', 'src/rules', 'packages/base/src']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  copyFileSync(launcher, join(root, 'bin/errand'));
  writeFileSync(join(root, 'node_modules/.bin/node'), `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} "$@"`, {
    mode: 0o755,
  });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  for (const path of ['src/main.ts', 'src/rules/rule.ts', 'packages/base/src/clock.ts']) write(path, 100);
  const old = Date.now() / 1000 - 100;
  for (const folder of ['src', 'src/rules', 'packages/base/src']) utimesSync(join(root, folder), old, old);
  write('dist/main.js', 50);
});

afterEach(() => removeFolder(root));

const launch = () => execFileSync('sh', [join(root, 'bin/errand'), 'task', 'a b'], { encoding: 'utf8' }).trim();

it('the launcher runs the bundle of the sources, with the arguments it is given', () => {
  expect(launch()).toBe('dist/main.js task a b');
});

it.each(['src/main.ts', 'src/rules/rule.ts', 'packages/base/src/clock.ts'])(
  'the launcher runs the sources when %s is newer than the bundle',
  (path) => {
    write(path, 10);
    expect(launch()).toBe('src/main.ts task a b');
  },
);

it('the launcher runs the sources when one of them is gone since, and where nothing was bundled', () => {
  rmSync(join(root, 'src/rules/rule.ts'));
  expect(launch()).toBe('src/main.ts task a b');
  rmSync(join(root, 'dist'), { recursive: true });
  expect(launch()).toBe('src/main.ts task a b');
});

it('npm start passes SIGTERM on to the program and ends as the program does', async () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: scripts.start } }));
  // It ends after a minute, so that nothing is left if the signal does not arrive.
  const program = `process.on('SIGTERM', () => { console.log('drained'); process.exit(0); });
setTimeout(() => process.exit(1), 60_000); console.log('ready', ...process.argv.slice(2));`;
  writeFileSync(join(root, 'dist/main.js'), program);
  const npm = spawn('npm', ['start', '--silent', '--', 'serve', 'a b'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') npm.kill('SIGTERM');
    output += text;
  });
  expect(await once(npm, 'exit')).toEqual([0, null]);
  expect(output).toBe('ready serve a b\ndrained\n');
});

describe('the launcher of an installed package', () => {
  let installed: string;
  beforeEach(() => {
    installed = join(root, 'node_modules/errand');
    for (const folder of ['bin', 'dist']) mkdirSync(join(installed, folder), { recursive: true });
    copyFileSync(launcher, join(installed, 'bin/errand'));
    writeFileSync(join(installed, 'dist/main.js'), 'console.log("installed")');
  });
  const launchInstalled = (folders: string) =>
    spawnSync('sh', [join(installed, 'bin/errand')], { encoding: 'utf8', env: { PATH: `${folders}:/usr/bin:/bin` } });
  const writeNode = (folder: string, version: string) => {
    mkdirSync(folder, { recursive: true });
    const other = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || exec ${JSON.stringify(process.execPath)} "$@"`;
    writeFileSync(join(folder, 'node'), other, { mode: 0o755 });
    return folder;
  };

  it('runs the bundle with the node beside it, else with that of the machine', () => {
    expect(launchInstalled(writeNode(join(root, 'old'), 'v20.20.2')).stdout).toBe('installed\n');
    rmSync(join(root, 'node_modules/.bin/node'));
    expect(launchInstalled(writeNode(join(root, 'new'), 'v24.1.0')).stdout).toBe('installed\n');
  });

  it('says what to do if there is only an older node', () => {
    rmSync(join(root, 'node_modules/.bin/node'));
    const { status, stderr } = launchInstalled(writeNode(join(root, 'old'), 'v22.9.0'));
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^errand needs Node\.js 24 or later and found v22\.9\.0\. .*npm install node@24\n$/),
    ]);
  });
});
