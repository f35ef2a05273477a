import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { runInFolder, type RunText, testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import type { SandboxCommand } from '../sandbox.ts';
import { openWorkspace } from '../workspace/workspace-folder.ts';

let base: string;
let root: string;

beforeEach(() => {
  base = createFolder('sandbox');
  root = join(base, 'acc', 'task');
});

afterEach(() => removeFolder(base));

function run(command: SandboxCommand['command'], options?: Partial<SandboxCommand>): Promise<RunText> {
  return runInFolder(root, command, options);
}

describe.skipIf(!testSandbox)('a command in the sandbox', () => {
  it('returns its output and exit code', async () => {
    expect(await run('echo one; echo two >&2; exit 3')).toEqual({ end: 'exit', exitCode: 3, output: 'one\ntwo\n' });
    expect(await run(['printf', '%s|', 'a b', '$HOME', '*'])).toMatchObject({ exitCode: 0, output: 'a b|$HOME|*|' });
    expect(await run('kill -9 $$')).toMatchObject({ end: 'exit', exitCode: 137 });
    expect(await run(['no-such-program'])).toMatchObject({ exitCode: 127 });
  });

  it('returns standard output and standard error separately, unless they are merged', async () => {
    const { signal } = new AbortController();
    const result = await testSandbox?.run({ workspace: { root }, command: 'echo one; echo two >&2', signal });
    expect([result?.stdout.toString(), result?.stderr.toString()]).toEqual(['one\n', 'two\n']);
  });

  it('reads the given input, or nothing', async () => {
    expect(await run('cat', { stdin: 'first\nsecond' })).toMatchObject({ output: 'first\nsecond' });
    expect(await run('cat; read -r line || echo nothing')).toMatchObject({ output: 'nothing\n' });
    const bytes = Buffer.alloc(3_000_000, 'é');
    expect(await run('wc -c', { stdin: bytes })).toMatchObject({ output: '3000000\n' });
  });

  it('can open its output by name', async () => {
    expect(await run('echo out >/dev/stdout; echo err >/dev/stderr; echo both | tee /dev/stderr')).toMatchObject({
      output: 'out\nerr\nboth\nboth\n',
    });
  });

  it('reports output while it runs', async () => {
    const received: string[] = [];
    const onOutput = (chunk: Buffer) => {
      received.push(chunk.toString());
      writeFileSync(join(root, 'heard'), '');
    };
    const { output } = await run('echo one; until [ -e heard ]; do sleep 0.1; done; echo two', { onOutput });
    expect([received.join(''), output]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
    expect(received.length).toBeGreaterThan(1);
  });

  it('has only the given environment variables, which do not affect the program that creates the sandbox', async () => {
    const { output } = await run('env | sort', { env: { GREETING: 'hello you', LD_PRELOAD: '/workspace/evil.so' } });
    const names = output.split('\n').flatMap((line) => (line.includes('=') ? line.slice(0, line.indexOf('=')) : []));
    expect(output).toContain('GREETING=hello you');
    expect(names.toSorted()).toEqual(
      ['GREETING', 'HOME', 'LANG', 'LD_PRELOAD', 'LOGNAME', 'NO_COLOR', 'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE']
        .concat(['PYTHONUNBUFFERED', 'SHLVL', 'TERM', 'TMPDIR', 'USER', '_'])
        .toSorted(),
    );
  });

  it('shares the workspace with the file tools, in both directions and with full write access', async () => {
    const workspace = openWorkspace(root);
    await workspace.write('src/a.txt', 'from outside');
    expect(
      await run('cat src/a.txt && echo from inside >src/a.txt && mkdir made && echo x >made/b && rm -r src/../made/b'),
    ).toEqual({
      end: 'exit',
      exitCode: 0,
      output: 'from outside',
    });
    expect((await workspace.read('src/a.txt')).toString()).toBe('from inside\n');
    await workspace.write('made/c.txt', 'outside again');
    expect(await run('pwd; cat made/c.txt; whoami; hostname')).toMatchObject({
      output: '/workspace\noutside againagent\nsandbox\n',
    });
  });

  it('cannot open its workspace to other users of the machine', async () => {
    await run('chmod 777 . && touch x && chmod 4777 x');
    expect(statSync(join(base, 'acc')).mode & 0o077).toBe(0);
  });

  it('keeps only the workspace between calls', async () => {
    await run('echo kept >kept; echo gone >/tmp/gone; echo gone >/dev/shm/gone');
    expect(await run('ls /tmp /dev/shm .')).toMatchObject({ output: '.:\nkept\n\n/dev/shm:\n\n/tmp:\n' });
  });

  it('does not run in a workspace that is a symbolic link', async () => {
    mkdirSync(join(base, 'acc'));
    mkdirSync(join(base, 'outside'));
    symlinkSync(join(base, 'outside'), root);
    await expect(run('echo x >written')).rejects.toThrow();
    expect(existsSync(join(base, 'outside/written'))).toBe(false);
  });

  it('is rejected before it starts if its signal is aborted, or if it cannot be started', async () => {
    await expect(run('echo x', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    await expect(run(['echo', 'a\0b'])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(run(['echo', 'x'.repeat(200_000)])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await run('echo still here')).toMatchObject({ output: 'still here\n' });
  });

  it('can run beside many others, each with its own workspace, processes and network', async () => {
    const command = 'echo $0 >own; python3 -m http.server 8000 >/dev/null 2>&1 & sleep 0.2; cat own; ls /proc | grep -c "^[0-9]"';
    const runs = Array.from({ length: 8 }, (_, index) =>
      runInFolder(join(base, 'acc', `task${index}`), ['bash', '-c', command, String(index)]),
    );
    for (const [index, { output }] of (await Promise.all(runs)).entries()) {
      const [own, processes] = output.trim().split('\n');
      expect(own).toBe(String(index));
      expect(Number(processes)).toBeLessThan(10);
    }
  });

  it('reaches its own server on localhost', async () => {
    const code = `require('http').createServer((_, response) => response.end('local')).listen(8080, async () => {
      console.log(await (await fetch('http://localhost:8080')).text());
      process.exit();
    })`;
    expect(await run(['node', '-e', code])).toEqual({ end: 'exit', exitCode: 0, output: 'local\n' });
  });
});
