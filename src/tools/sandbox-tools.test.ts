import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { testSandbox } from '../../test/support/sandbox/sandbox-under-test.ts';
import { toolContext } from '../../test/support/tasks/tool-context.ts';
import { noRegistries } from '../rules/egress/package-registries.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createLog, silentLog } from '@errand/base/log.ts';
import type { Sandbox, SandboxCommand } from '@errand/sandbox';
import { openWorkspace } from '@errand/sandbox/workspace';
import { standardTools } from './standard-tools.ts';
import { TaskResources } from './toolbox/task-resources.ts';
import { createToolbox } from './toolbox/toolbox.ts';
import type { ToolContext, ToolOutcome } from './toolbox/tool.ts';

let base: string;
let resources: TaskResources;

beforeEach(() => {
  base = createFolder('sandbox-tools');
  resources = new TaskResources();
});

afterEach(async () => {
  await resources.abandon();
  removeFolder(base);
});

function contextOf(changes: Partial<ToolContext> = {}): ToolContext {
  return toolContext(openWorkspace(join(base, 'acc', 'task')), { callId: 'call-1', resources, ...changes });
}

function call(sandbox: Sandbox | null, tool: string, input: unknown, changes: Partial<ToolContext> = {}): Promise<ToolOutcome> {
  return createToolbox(standardTools(systemClock, sandbox), silentLog).runCall({ tool, input }, contextOf(changes));
}

/** A sandbox that cannot be opened. */
function closedSandbox(
  languages: Sandbox['languages'] = ['python', 'javascript'],
  open: (command: SandboxCommand) => void = () => undefined,
): Sandbox {
  return {
    languages,
    programs: [],
    modules: [],
    run(command) {
      open(command);
      return Promise.resolve({ end: 'exit', exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) });
    },
    close: () => Promise.resolve(),
  };
}

const namesOf = (sandbox: Sandbox | null) => standardTools(systemClock, sandbox).map(({ name }) => name);

describe('the tools that run commands and code', () => {
  it('log each host that a command has reached once, with its task and call, and a hundred at most', async () => {
    let written = '';
    const sink = new Writable({
      write(line: Buffer, _encoding, done) {
        written += line.toString();
        done();
      },
    });
    const log = createLog('info', sink);
    const reaching = closedSandbox([], ({ egress }) => {
      for (let index = 0; index < 150; index += 1) egress?.onConnect(`host${index}.test`);
    });
    const context = contextOf();
    const tools = standardTools(systemClock, reaching, { policy: { kind: 'public' }, registries: noRegistries, log });
    const running = createToolbox(tools, silentLog).runCall({ tool: 'run_shell', input: { command: 'curl x' } }, context);
    expect(await running).toMatchObject({ status: 'error' });
    const { accountId: account_id, taskId: task_id } = context;
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({
      account_id,
      task_id,
      call_id: 'call-1',
      host: 'host0.test',
      msg: 'a command reached a host',
    });
    expect(lines.filter(({ host }) => host !== undefined)).toHaveLength(100);
    expect(lines).toHaveLength(101);
  });

  it('are absent where there is no sandbox, and run_code where it can run no language', () => {
    expect(namesOf(null)).not.toContain('run_shell');
    expect(namesOf(null)).not.toContain('run_code');
    expect(namesOf(closedSandbox([]))).toContain('run_shell');
    expect(namesOf(closedSandbox([]))).not.toContain('run_code');
    expect(namesOf(closedSandbox())).toContain('run_code');
  });

  it('reach the registries that the operator named, by host and port, and with no other policy nothing else', async () => {
    const commands: SandboxCommand[] = [];
    const sandbox = closedSandbox([], (command) => void commands.push(command));
    const registries = { pip: 'https://pypi.org/simple', npm: 'http://npm.example:4873/' };
    const tools = standardTools(systemClock, sandbox, { policy: { kind: 'none' }, registries, log: silentLog });
    const running = createToolbox(tools, silentLog).runCall(
      { tool: 'run_shell', input: { command: 'pip install x' } },
      contextOf(),
    );
    expect(await running).toMatchObject({ status: 'error' });
    const [{ egress, env } = {}] = commands;
    const refused = (host: string, port: number) => egress?.refuse(host, port) !== null;
    expect([refused('pypi.org', 443), refused('files.pythonhosted.org', 443), refused('npm.example', 4873)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([refused('npm.example', 443), refused('pypi.org', 80), refused('example.com', 443)]).toEqual([true, true, true]);
    expect(env).toMatchObject({ PIP_INDEX_URL: registries.pip, NPM_CONFIG_REGISTRY: registries.npm });
    expect(tools.find(({ name }) => name === 'run_shell')?.description).toContain('no network, but pip and npm install packages');
  });

  it('tell the model what the machine has of the usual, and what not', () => {
    const sandbox = { ...closedSandbox(), programs: ['python3', 'git', 'zip'], modules: ['pandas', 'PIL'] };
    const explain = (tool: string) => standardTools(systemClock, sandbox).find(({ name }) => name === tool)?.description;
    expect(explain('run_shell')).toMatch(/Has git, zip\. Lacks rg, jq, .*numpy/);
    expect(explain('run_code')).toContain('Python has pandas, PIL.');
  });

  it('know only the languages of this machine', async () => {
    const refusal = await call(closedSandbox(['javascript']), 'run_code', { language: 'python', code: '1' });
    expect(refusal).toMatchObject({ status: 'error', output: expect.stringContaining('javascript') as string });
  });

  it('refuse what cannot be run', async () => {
    const sandbox = closedSandbox();
    for (const input of [
      { command: '' },
      { command: 'a\0b' },
      { command: 'x'.repeat(30_001) },
      { command: 'x', timeout_seconds: 601 },
    ])
      expect(await call(sandbox, 'run_shell', input)).toMatchObject({ status: 'error' });
    expect(await call(sandbox, 'run_code', { language: 'ruby', code: 'x' })).toMatchObject({ status: 'error' });
  });
});

describe.skipIf(!testSandbox)('in the sandbox of this machine', () => {
  it('run_shell runs a command line of several lines in the workspace, with both outputs in order', async () => {
    const command = 'cat <<END >notes.txt\none\ntwo\nEND\nwc -l <notes.txt\necho problem >&2\nfalse';
    expect(await call(testSandbox, 'run_shell', { command })).toMatchObject({
      status: 'error',
      output: '2\nproblem\n[exit code 1]',
    });
    expect(readFileSync(join(base, 'acc/task/notes.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('run_shell has a home in the workspace, where what pip and npm install lasts and is found', async () => {
    const install =
      'mkdir -p ~/.local/bin && printf "#!/bin/sh\\necho tool" >~/.local/bin/mytool && chmod +x ~/.local/bin/mytool && ' +
      'folder=$(python3 -m site --user-site) && mkdir -p "$folder" && echo "x = 7" >"$folder/mymodule.py" && npm config get prefix 2>/dev/null';
    await call(testSandbox, 'run_shell', { command: install });
    const use = 'echo $HOME; mytool; python3 -c "import mymodule; print(mymodule.x)"';
    expect(await call(testSandbox, 'run_shell', { command: use })).toMatchObject({
      output: '/workspace/.home\ntool\n7\n[exit code 0]',
    });
  });

  it('run_shell takes the longest command', async () => {
    const command = `echo ${'é'.repeat(29_000)} | wc -m`;
    expect(await call(testSandbox, 'run_shell', { command })).toMatchObject({ output: '29001\n[exit code 0]' });
  });

  it('run_shell shows what is written before it ends, whole characters only', async () => {
    const shown: string[] = [];
    const stop = new AbortController();
    const command = "printf '\\303'; sleep 0.1; printf '\\244 is there\\n'; sleep 1000";
    const report = (text: string) => {
      shown.push(text);
      if (text.endsWith('\n')) stop.abort(new Error('seen'));
    };
    const running = call(testSandbox, 'run_shell', { command }, { signal: stop.signal, report });
    await expect(running).rejects.toThrow('seen');
    expect(shown.join('')).toBe('ä is there\n');
  });

  it('run_shell ends with its signal', async () => {
    const stop = new AbortController();
    const running = call(testSandbox, 'run_shell', { command: 'sleep 1000' }, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('run_code runs Python that uses files and modules of the workspace, and reports the line of an error', async () => {
    await call(testSandbox, 'write_file', { path: 'helper.py', content: 'def double(x): return 2 * x' });
    const code = 'import helper, multiprocessing\nprint(helper.double(21))\nopen("out.txt", "w").write("x")\nprint(undefined)';
    const { status, output } = await call(testSandbox, 'run_code', { language: 'python', code });
    expect(status).toBe('error');
    expect(output.split('\n')).toContain('42');
    expect(output).toMatch('line 4');
    expect(output).toMatch('    print(undefined)');
    expect(await call(testSandbox, 'list_files', {})).toMatchObject({ output: expect.stringContaining('out.txt') as string });
    expect(await call(testSandbox, 'list_files', {})).toMatchObject({ output: expect.not.stringContaining('pycache') as string });
  });

  it('run_code runs JavaScript of both kinds, with modules of the workspace', async () => {
    await call(testSandbox, 'write_file', { path: 'twice.js', content: 'module.exports = (x) => 2 * x;' });
    const run = async (code: string) => (await call(testSandbox, 'run_code', { language: 'javascript', code })).output;
    expect(await run("console.log(require('./twice.js')(21), require('fs').existsSync('twice.js'))")).toBe(
      '42 true\n[exit code 0]',
    );
    expect(await run("import { readFile } from 'node:fs/promises';\nconsole.log((await readFile('twice.js')).length);")).toBe(
      '30\n[exit code 0]',
    );
    expect(await run('const x = 1;\nthrow new Error("no");')).toMatch(/Error: no\n.*javascript.*:2:7[^]*\[exit code 1\]/);
  });

  it('run_code gives the code no standard input', async () => {
    const code = "try:\n    input()\nexcept EOFError:\n    print('end of input')";
    expect(await call(testSandbox, 'run_code', { language: 'python', code })).toMatchObject({
      output: 'end of input\n[exit code 0]',
    });
  });
});
