import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Child } from '../../../../test/support/process/child.ts';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { runInFolder, testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { openSandbox } from '../open-sandbox.ts';

const host = fileURLToPath(new URL('../../../../test/support/sandbox/sandbox-host.ts', import.meta.url));

let base: string;
let root: string;

beforeEach(() => {
  base = createFolder('end');
  root = join(base, 'acc', 'task');
});

afterEach(() => removeFolder(base));

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The processes of the machine whose command line contains `mark`. */
function findProcesses(mark: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readOrNothing(`/proc/${name}/cmdline`).includes(mark));
}

/**
 * Resolves when none of them is left; the test's own time limit is the deadline. Polls often, since a process during exec has no command
 * line for a moment.
 */
async function waitUntilGone(mark: string): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    if (findProcesses(mark).length > 0) looks = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A unique number of seconds, by which a sleeping process is found. */
function makeMark(): string {
  return String(1_000_000 + Math.floor(Math.random() * 1e9));
}

/** Background processes in their own session, without input and output, ignoring signals. */
const hide = (mark: string) => `
(setsid sleep ${mark} </dev/null >/dev/null 2>&1 &)
(trap "" HUP TERM INT; nohup sleep ${mark} </dev/null >/dev/null 2>&1 &)
sleep ${mark} &
until [ "$(grep -lx sleep /proc/[0-9]*/comm | wc -l)" -ge 3 ]; do :; done
echo up
`;

describe.skipIf(!testSandbox)('the processes of a command', () => {
  it('are gone when it exits normally', async () => {
    const mark = makeMark();
    expect(await runInFolder(root, `${hide(mark)}\nexit 4`)).toEqual({ end: 'exit', exitCode: 4, output: 'up\n' });
    expect(findProcesses(mark)).toEqual([]);
  });

  it('are gone when its signal aborts, before that is reported', async () => {
    const mark = makeMark();
    const stop = new AbortController();
    const running = runInFolder(root, `${hide(mark)}\nwait`, {
      signal: stop.signal,
      onOutput: () => stop.abort(new Error('stopped')),
    });
    await expect(running).rejects.toThrow('stopped');
    expect(findProcesses(mark)).toEqual([]);
  });

  it('are gone if the signal aborts at any point during the start', async () => {
    const mark = makeMark();
    for (let round = 0; round < 20; round++) {
      const stop = new AbortController();
      const running = runInFolder(root, `sleep ${mark}`, { signal: stop.signal });
      for (let turn = 0; turn < round * 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      stop.abort(new Error('stopped'));
      await expect(running).rejects.toThrow('stopped');
      // The guard has the command in its own command line, and may still be ending.
      while (findProcesses(mark).length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('are gone after its timeout', async () => {
    const mark = makeMark();
    const clock = new TestClock();
    const opened = await openSandbox({ clock });
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const limits = { wallMs: 3_600_000 };
    const running = opened.sandbox?.run({
      workspace: { root },
      command: `${hide(mark)}\nwait`,
      signal,
      limits,
      onOutput: () => resolve(),
    });
    await isUp;
    await clock.advance(3_600_000);
    expect(await running).toMatchObject({ end: 'time', exitCode: null });
    expect(findProcesses(mark)).toEqual([]);
    expect(clock.timerCount).toBe(0);
    await opened.sandbox?.close();
  });
});

/** A folder that programs of another user can reach. */
function openFolder(owner: number): string {
  const folder = join(base, 'open');
  mkdirSync(folder);
  chmodSync(base, 0o755);
  if (process.getuid?.() === 0) chownSync(folder, owner, owner);
  return folder;
}

function startHost(folder: string, command: string, identity?: { uid: number; gid: number }): Promise<Child> {
  const env = { PATH: process.env.PATH ?? '', ERRAND_SECRET: 'the-secret-of-the-service', TMPDIR: folder };
  return Child.start(process.execPath, [host, join(folder, 'task'), command], { env, cwd: '/', ...(identity && { identity }) });
}

function eventsOf(child: Child, event: string) {
  return child.waitForLine(({ text }) => text.startsWith(`{"event":"${event}"`));
}

const sees = 'touch mine; echo $(cat /proc/[0-9]*/environ | grep -ac the-secret-of-the-service) $(id -u)';

describe.skipIf(!testSandbox)('a service with a sandbox', () => {
  it('leaves no process behind when it is killed', async () => {
    const mark = makeMark();
    const child = await startHost(openFolder(process.getuid?.() ?? 0), `${hide(mark)}\nwait`);
    await eventsOf(child, 'output');
    expect(findProcesses(mark).length).toBeGreaterThanOrEqual(3);
    child.signal('SIGKILL');
    await expect(waitUntilGone(mark)).resolves.toBeUndefined();
  });

  it('leaves no process behind when it is killed while a command starts', async () => {
    const mark = makeMark();
    for (let round = 0; round < 5; round++) {
      const child = await startHost(base, `sleep ${mark}`);
      await eventsOf(child, 'open');
      for (let turn = 0; turn < round * 40; turn++) await new Promise((resolve) => setImmediate(resolve));
      child.signal('SIGKILL');
      await child.ended;
    }
    await expect(waitUntilGone(mark)).resolves.toBeUndefined();
  });

  it('does not expose its environment', async () => {
    const child = await startHost(openFolder(process.getuid?.() ?? 0), sees);
    const { text } = await eventsOf(child, 'output');
    expect(JSON.parse(text)).toMatchObject({ value: expect.stringMatching(/^0 /) as string });
  });

  it('does not pass on inherited file descriptors', async () => {
    const folder = openFolder(process.getuid?.() ?? 0);
    writeFileSync(join(folder, 'secret'), 'inherited');
    const env = { PATH: process.env.PATH ?? '', TMPDIR: folder };
    const command = 'ls -l /proc/[0-9]*/fd | grep -c secret; cat /proc/[0-9]*/fd/20';
    const script = 'exec 20<"$1"; shift; exec "$@"';
    const args = ['-c', script, 'bash', join(folder, 'secret'), process.execPath, host, join(folder, 'task'), command];
    const child = await Child.start('bash', args, { env, cwd: '/' });
    await eventsOf(child, 'end');
    expect(child.lines.map(({ text }) => text).join('')).toContain('"0\\n');
    expect(child.lines.map(({ text }) => text).join('')).not.toContain('inherited');
  });

  const isRoot = process.getuid?.() === 0;
  const isReachable = (path: string): boolean =>
    path === '/' || ((statSync(path).mode & 0o001) !== 0 && isReachable(dirname(path)));

  it.skipIf(!isRoot || !isReachable(dirname(host)) || !isReachable(dirname(process.execPath)))(
    'also works as an unprivileged user',
    async () => {
      const folder = openFolder(4711);
      const child = await startHost(folder, sees, { uid: 4711, gid: 4711 });
      expect(JSON.parse((await eventsOf(child, 'end')).text)).toMatchObject({ value: { end: 'exit', exitCode: 0 } });
      expect(JSON.parse((await eventsOf(child, 'output')).text)).toMatchObject({ value: '0 1000\n' });
      expect(statSync(join(folder, 'task/mine')).uid).toBe(4711);
    },
  );

  it.skipIf(!isRoot)('does not run commands as root, and makes them the owner of their workspace', async () => {
    await runInFolder(root, 'touch mine');
    expect(statSync(join(root, 'mine')).uid).not.toBe(0);
    expect(statSync(root).uid).toBe(statSync(join(root, 'mine')).uid);
    expect(statSync(dirname(root)).uid).toBe(0);
    expect(existsSync('/mnt/mine')).toBe(false);
  });
});
