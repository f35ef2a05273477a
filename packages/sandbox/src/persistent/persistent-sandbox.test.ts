import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import type { ProcessEnd } from './sandbox-process.ts';
import { PersistentSandbox, type PersistentSandboxOptions } from './persistent-sandbox.ts';
import { shellPath } from './persistent-sandbox-script.ts';

let base: string;
let sandboxes: PersistentSandbox[];

beforeEach(() => {
  base = createFolder('sandbox');
  sandboxes = [];
});

afterEach(async () => {
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  removeFolder(base);
});

async function open(options: Partial<PersistentSandboxOptions> = {}, name = 'task'): Promise<PersistentSandbox> {
  if (!testSandbox) throw new Error('there is no sandbox');
  const sandbox = await PersistentSandbox.open(
    testSandbox,
    { workspace: { root: join(base, name) }, ...options },
    AbortSignal.timeout(60_000),
  );
  sandboxes.push(sandbox);
  return sandbox;
}

/** Starts a shell command; `seen` resolves when its output contains a text. */
async function start(sandbox: PersistentSandbox, command: string, input?: 'stdin' | 'request') {
  let output = '';
  const waiting: { text: string; found(): void }[] = [];
  const process = await sandbox.start({
    command: ['bash', '--norc', '-c', command],
    ...(input && { input }),
    onOutput(chunk) {
      output += chunk.toString();
      for (const one of waiting) if (output.includes(one.text)) one.found();
    },
  });
  const seen = (text: string) =>
    output.includes(text) ? Promise.resolve() : new Promise<void>((found) => waiting.push({ text, found }));
  return { process, seen, read: () => output };
}

async function run(sandbox: PersistentSandbox, command: string): Promise<ProcessEnd & { output: string }> {
  const { process, read } = await start(sandbox, command);
  return { ...(await process.ended), output: read() };
}

describe.skipIf(!testSandbox)('a persistent sandbox', () => {
  it('starts its first command as the fourth process of a new sandbox, whose home is there', async () => {
    const sandbox = await open({ env: { HOME: '/workspace/.home' } });
    expect((await run(sandbox, '[[ -d $HOME && -O $HOME ]] && echo $$')).output).toBe('4\n');
  });

  it('runs command after command in one sandbox, with their output in order and their exit codes', async () => {
    const sandbox = await open();
    expect(await run(sandbox, 'echo one; echo two >&2; echo three >/dev/stdout; exit 3')).toEqual({
      exitCode: 3,
      left: 0,
      output: 'one\ntwo\nthree\n',
    });
    await run(sandbox, 'echo kept >/tmp/file');
    expect(await run(sandbox, 'cat /tmp/file')).toMatchObject({ exitCode: 0, output: 'kept\n' });
    for (let count = 0; count < 12; count++) expect((await run(sandbox, `echo ${count}`)).output).toBe(`${count}\n`);
  });

  it('receives all of a long output before the end', async () => {
    const { output } = await run(await open(), 'head -c 3000000 /dev/zero | tr "\\\\0" x; echo end');
    expect(output.length).toBe(3_000_004);
    expect(output.endsWith('end\n')).toBe(true);
  });

  it('lets a process run on beside others, passes input to it, and ends it with what it started', async () => {
    const sandbox = await open();
    const echo = await start(sandbox, 'sleep 1000 & while read -r line; do echo "got $line"; done', 'stdin');
    echo.process.write('hello\n');
    await echo.seen('got hello');
    expect((await run(sandbox, 'until pgrep -c sleep; do :; done')).output).toMatch(/^1$/m);
    echo.process.signal('KILL');
    expect(await echo.process.ended).toMatchObject({ exitCode: 137 });
    await echo.process.closed;
    // A process has closed its output a moment before it is gone.
    expect((await run(sandbox, 'while pgrep sleep >/dev/null; do :; done; echo gone')).output).toBe('gone\n');
  });

  it('says how many processes a command left behind, whose output still arrives and which one signal ends', async () => {
    const sandbox = await open();
    const server = await start(sandbox, 'mkfifo /tmp/pipe; (while read -r x </tmp/pipe; do echo "heard $x"; done) & echo up');
    expect(await server.process.ended).toEqual({ exitCode: 0, left: 1 });
    await run(sandbox, 'echo news >/tmp/pipe');
    await server.seen('heard news');
    server.process.signal('KILL');
    await server.process.closed;
  });

  it('ends with everything in it when it is closed, in whatever session that hides', async () => {
    const sandbox = await open();
    const hidden = await start(sandbox, '(setsid sleep 1000 &); sleep 1000 & echo up; wait');
    await hidden.seen('up');
    await sandbox.close();
    expect(await hidden.process.ended).toEqual({ lost: 'closed' });
    expect(sandbox.isOpen).toBe(false);
  });

  it('ends as a whole at the limit of its memory, and says so of every process', async () => {
    const sandbox = await open({ limits: { memoryBytes: 64 * 1024 * 1024 } });
    const other = await start(sandbox, 'sleep 1000');
    const greedy = await start(sandbox, 'for n in 1 2 3 4; do head -c 40M /dev/zero | tail -c 40M | sleep 1000 & done; wait');
    expect(await greedy.process.ended).toEqual({ lost: 'memory' });
    expect(await other.process.ended).toEqual({ lost: 'memory' });
    expect(await sandbox.ended).toBe('memory');
  });

  it('stays in order when a program inside lies to it', async () => {
    const sandbox = await open();
    const lie =
      'for pid in $(pgrep -f "calls="); do printf "ended 99 0 0\\nstarted x -1\\nended 1 no\\n\\n" >/proc/$pid/fd/1; done; echo lied';
    expect(await run(sandbox, lie)).toMatchObject({ output: expect.stringContaining('lied') as string });
    expect((await run(sandbox, 'echo fine')).output).toBe('fine\n');
  });

  it('shares no process, port or temporary file with another', async () => {
    const [one, two] = [await open({}, 'one'), await open({}, 'two')];
    mkdirSync(join(base, 'one'), { recursive: true });
    const server = await start(one, 'echo mine >/tmp/secret; python3 -um http.server 8123 --bind 127.0.0.1');
    await server.seen('Serving');
    expect((await run(one, '(: <>/dev/tcp/127.0.0.1/8123) && echo open')).output).toBe('open\n');
    const { output } = await run(
      two,
      'ls /tmp/secret; (: <>/dev/tcp/127.0.0.1/8123) && echo open; pgrep -c python3; kill -9 -1; true',
    );
    expect(output).not.toContain('open');
    expect((await run(one, '(: <>/dev/tcp/127.0.0.1/8123) && echo still')).output).toBe('still\n');
  });

  it('keeps the folder, variables and functions of a shell for the next command, also after it was opened anew', async () => {
    const env = { HOME: '/workspace/.home' };
    const shell = async (sandbox: PersistentSandbox, command: string) => {
      let output = '';
      const argv = [`BASH_ENV=${shellPath}`, 'bash', '--norc', '-c', command];
      const process = await sandbox.start({ command: argv, onOutput: (chunk) => (output += chunk.toString()) });
      await process.ended;
      return output;
    };
    const first = await open({ env });
    await shell(first, 'mkdir sub; cd sub; export A="a b"; B=2; greet() { echo "hi $1"; }; exit 4');
    expect(await shell(first, 'pwd; echo "$A $B"; greet you; bash -c "echo $A"; unset B')).toBe(
      '/workspace/sub\na b 2\nhi you\na b\n',
    );
    await first.close();
    expect(await shell(await open({ env }), 'pwd; echo "$A${B-gone}"; echo ${BASH_ENV-none}')).toBe(
      '/workspace/sub\na bgone\nnone\n',
    );
  });

  it('lets the service connect to the ports of its own loopback, and to no other place', async () => {
    const sandbox = await open();
    const other = await open({}, 'other');
    const serve = `node -e "require('node:http').createServer((q, r) => r.end('seen ' + q.url)).listen(4100, '127.0.0.1', () => console.log('ready'))"`;
    await (await start(sandbox, serve)).seen('ready');
    const ask = async (port: number, from = sandbox) => {
      const socket = await from.connect(port);
      socket.end(`GET /page-${port} HTTP/1.0\r\n\r\n`);
      return (await socket.setEncoding('utf8').toArray()).join('');
    };
    expect(await Promise.all([ask(4100), ask(4100)])).toEqual(Array(2).fill(expect.stringMatching(/seen \/page-4100$/)));
    await expect(ask(4101)).rejects.toThrow('nothing in the sandbox of this task answers at port 4101');
    await expect(ask(4100, other)).rejects.toThrow('nothing in the sandbox');
    const trap = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    await expect(ask((trap.address() as AddressInfo).port)).rejects.toThrow('nothing in the sandbox');
    trap.close();
    // Programs inside see the socket of the bridge. Without the secret of a call they get nothing.
    const intrude = `node -e "const s = require('node:net').connect(require('node:fs').globSync('/opt/library/ports-*.sock')[0], () => s.write('0'.repeat(32) + '+' + String.fromCharCode(10))); s.on('close', () => console.log('closed'))"`;
    expect(await run(sandbox, intrude)).toMatchObject({ output: 'closed\n' });
    expect(await ask(4100)).toContain('seen /page-4100');
  });
});
