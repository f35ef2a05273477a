import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { testSandbox } from '../../../test/support/sandbox/sandbox-under-test.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { addTrace, type CallTrace, refuseRepeat } from '../../rules/tasks/repetition.ts';
import { standardTools } from '../standard-tools.ts';
import { TaskResources } from '../toolbox/task-resources.ts';
import { createToolbox } from '../toolbox/toolbox.ts';
import type { ToolContext } from '../toolbox/tool.ts';

let base: string;
let resources: TaskResources;

beforeEach(() => {
  base = createFolder('command-tools');
  resources = new TaskResources();
});

afterEach(async () => {
  await resources.abandon();
  removeFolder(base);
});

const toolbox = createToolbox(standardTools(systemClock, testSandbox), silentLog);

function call(tool: string, input: unknown, changes: Partial<ToolContext> = {}) {
  const workspace = openWorkspace(join(base, 'acc', 'task'));
  return toolbox.runCall({ tool, input }, toolContext(workspace, { resources, ...changes }));
}

const shell = async (command: string, more: object = {}) => (await call('run_shell', { command, ...more })).output;
const code = async (language: string, text: string, more: object = {}) =>
  (await call('run_code', { language, code: text, ...more })).output;

describe.skipIf(!testSandbox)('while a task is held', () => {
  it('a shell keeps its directory, variables, functions and /tmp from call to call, also after a failed one', async () => {
    expect(await shell('mkdir -p a/b; cd a/b; export KEY=v; f() { echo "f $1"; }; echo x >/tmp/t; exit 3')).toBe(
      '[exit code 3; the shell is in /workspace/a/b]',
    );
    expect(await shell('pwd; echo $KEY; f 1; cat /tmp/t')).toMatch(/^\/workspace\/a\/b\nv\nf 1\nx\n\[exit code 0;/);
    expect(await shell('no-such-program; cd ..')).toMatch(/not found\n\[exit code 0; the shell is in \/workspace\/a\]$/);
    expect(await shell('cd /workspace')).toBe('[exit code 0]');
    expect(resources.list()).toEqual([]);
  });

  it('a background process runs on: it is read, written to, and ended', async () => {
    const started = await shell('echo ready; while read -r line; do echo "heard $line"; done', { background: true });
    expect(started).toBe('ready\n[runs in the background as process p1]');
    expect(resources.list()).toEqual([{ id: 'p1', kind: 'process', title: expect.stringContaining('heard') as string }]);
    const { output } = await call('read_process', { process: 'p1', input: 'a\n', wait_seconds: 60 });
    expect(output).toBe('heard a\n[still running]');
    expect((await call('read_process', { process: 'p1', end: true })).output).toMatch(/^\[exit code 137/);
    expect(resources.list()).toEqual([]);
    expect((await call('read_process', { process: 'p7' })).output).toBe('There is no process p7. None runs.');
  });

  it('a background process can be waited for until it ends, whatever it writes meanwhile', async () => {
    await shell('for n in 1 2 3; do echo "step $n"; read -r line; done; exit 4', { background: true });
    const ended = call('read_process', { process: 'p1', until_end: true });
    for (const line of ['a', 'b', 'c']) await call('read_process', { process: 'p1', input: `${line}\n` });
    expect((await ended).output).toMatch(/\[exit code 4/);
  });

  it('waits for a silent process tell how long it has run, so that a task may wait on; polls without a wait do not', async () => {
    const clock = new TestClock();
    const tools = createToolbox(standardTools(clock, testSandbox), silentLog);
    const context = toolContext(openWorkspace(join(base, 'acc', 'task')), { resources });
    const runCall = async (tool: string, input: unknown, waitMs = 0) => {
      const running = tools.runCall({ tool, input }, context);
      if (waitMs > 0) {
        await expect.poll(() => clock.nextTimerMs).toBe(waitMs);
        await clock.advance(waitMs);
      }
      return (await running).output;
    };
    await runCall('run_shell', { command: 'sleep 100000', background: true }, 1_000);
    let traces: readonly CallTrace[] = [];
    const wait = { process: 'p1', until_end: true };
    const outputs: string[] = [];
    for (let times = 1; times <= 6; times += 1) {
      outputs.push(await runCall('read_process', wait, 300_000));
      traces = addTrace(
        traces,
        { type: 'call', id: `c${times}`, tool: 'read_process', input: wait },
        'success',
        outputs.at(-1) ?? '',
      );
    }
    expect(outputs.slice(0, 2)).toEqual(['[still running after 5 min]', '[still running after 10 min]']);
    expect(refuseRepeat(traces, { tool: 'read_process', input: wait })).toBeNull();
    const polls = [await runCall('read_process', { process: 'p1' }), await runCall('read_process', { process: 'p1' })];
    expect(polls).toEqual(['[still running after 30 min]', '[still running after 30 min]']);
    expect(await runCall('read_process', { process: 'p1', wait_seconds: 40 }, 40_000)).toBe('[still running after 30 min 30 s]');
  });

  it('what a command leaves running is named, and can be read and ended like any other', async () => {
    const output = await shell('mkfifo /tmp/f; (read -r x </tmp/f; echo "got $x"; sleep 1000) & echo started');
    expect(output).toBe('started\n[exit code 0; what it started runs on as process p1]');
    await shell('echo one >/tmp/f');
    expect((await call('read_process', { process: 'p1', wait_seconds: 60 })).output).toBe('got one\n[still running]');
    await call('read_process', { process: 'p1', end: true });
    expect(resources.list()).toEqual([]);
  });

  it('a server is reached by the next command', async () => {
    await shell('echo hello >index.html; python3 -um http.server 8000', { background: true });
    const fetch =
      'until (: <>/dev/tcp/127.0.0.1/8000) 2>/dev/null; do :; done; python3 -c "import urllib.request as u; print(u.urlopen(\'http://localhost:8000\').read())"';
    expect(await shell(fetch)).toBe("b'hello\\n'\n[exit code 0]");
  });

  it('code goes on with the variables of the call before, unless it is to begin anew', async () => {
    await code('python', 'import json\nrows = [1, 2]');
    expect(await code('python', 'rows.append(3)\njson.dumps(rows)')).toBe("'[1, 2, 3]'\n[exit code 0]");
    await code('javascript', 'const total = 40;');
    expect(await code('javascript', 'total + 2')).toBe('42\n[exit code 0]');
    expect(resources.list().map(({ kind }) => kind)).toEqual(['python', 'javascript']);
    expect(await code('python', 'rows', { fresh: true })).toMatch(/NameError[^]*\[exit code 1\]$/);
  });

  it('code that takes too long gives its session back if it can be interrupted', async () => {
    await code('python', 'x = 5');
    expect(await code('python', 'while True: pass', { timeout_seconds: 1 })).toMatch(
      /ended after 1 seconds.*its session goes on\]$/,
    );
    expect(await code('python', 'x')).toBe('5\n[exit code 0]');
    const stubborn = 'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass';
    expect(await code('python', stubborn, { timeout_seconds: 1 })).toMatch(/the variables are gone\]$/);
    expect(await code('python', '1')).toBe('1\n[exit code 0]');
  });

  it('a command that takes too long is ended with what it started, and nothing else', async () => {
    await shell('sleep 1000', { background: true });
    expect(await shell('sleep 2000 & sleep 2000', { timeout_seconds: 1 })).toMatch(/^\[ended after 1 seconds/);
    expect(await shell('pgrep -xc sleep')).toBe('1\n[exit code 0]');
  });

  it('memory beyond the limit ends the sandbox and says so, and the next command has a new one', async () => {
    await shell('sleep 1000', { background: true });
    // Each keeps what it has read, because nobody reads from it.
    const greedy = 'for n in 1 2 3 4; do head -c 400M /dev/zero | tail -c 400M | sleep 1000 & done; wait';
    expect(await shell(greedy)).toMatch(/more than 1024 MB of memory.*have ended with it\]$/);
    expect(resources.list()).toEqual([]);
    expect(await shell('echo again')).toBe('again\n[exit code 0]');
  });

  it('the end of the task ends everything at once', async () => {
    await shell('sleep 1000', { background: true });
    const stop = new AbortController();
    const report = () => stop.abort(new Error('stopped'));
    const running = call('run_shell', { command: 'echo up; sleep 1000' }, { signal: stop.signal, report });
    await expect(running).rejects.toThrow('stopped');
    await resources.close();
    expect(resources.list()).toEqual([]);
  });

  it('output beyond the limit ends the command', async () => {
    expect(await shell('yes | head -c 20000000')).toContain('wrote more than 8 MB');
  });
});
