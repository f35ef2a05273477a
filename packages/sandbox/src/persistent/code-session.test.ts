import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import type { CodeLanguage } from '../sandbox.ts';
import { CodeSession } from './code-session.ts';
import { PersistentSandbox } from './persistent-sandbox.ts';

let base: string;
let sandbox: PersistentSandbox | null;

beforeEach(() => {
  base = createFolder('sessions');
  sandbox = null;
});

afterEach(async () => {
  await sandbox?.close();
  removeFolder(base);
});

async function start(language: CodeLanguage) {
  if (!testSandbox) throw new Error('there is no sandbox');
  sandbox = await PersistentSandbox.open(testSandbox, { workspace: { root: join(base, 'task') } }, AbortSignal.timeout(60_000));
  const session = await CodeSession.start(sandbox, language);
  const run = async (code: string, onOutput: (text: string) => void = () => undefined) => {
    let output = '';
    const end = await session.run(code, (chunk) => {
      output += chunk.toString();
      onOutput(output);
    });
    return { output, ...end };
  };
  return { session, run };
}

describe.skipIf(!testSandbox)('a session of Python', () => {
  it('keeps variables, imports and functions, and shows the value of a last expression', async () => {
    const { run } = await start('python');
    expect(await run('import math\nx = 40\ndef f(y): return x + y')).toEqual({ output: '', exitCode: 0 });
    expect(await run('print("so")\nf(math.floor(2.5))')).toEqual({ output: 'so\n42\n', exitCode: 0 });
  });

  it('goes on after errors, which name their line, and after exits', async () => {
    const { run } = await start('python');
    await run('x = 1');
    const { output, exitCode } = (await run('y = 2\n\nprint(undefined)')) as { output: string; exitCode: number };
    expect(exitCode).toBe(1);
    expect(output).toMatch(/line 3, in <module>\n {4}print\(undefined\)/);
    expect(output).not.toContain('exec(');
    expect(await run('if')).toMatchObject({ exitCode: 1, output: expect.stringContaining('SyntaxError') as string });
    expect(await run('import sys; sys.exit(3)')).toEqual({ output: '', exitCode: 3 });
    expect(await run('x + y')).toEqual({ output: '3\n', exitCode: 0 });
  });

  it('survives an interruption, and says so when it ends', async () => {
    const { run, session } = await start('python');
    await run('x = 1');
    const endless = run('print("going")\nwhile True: pass', (text) => {
      if (text.trim() === 'going') session.interrupt();
    });
    expect(await endless).toMatchObject({ exitCode: 130 });
    expect(await run('x')).toEqual({ output: '1\n', exitCode: 0 });
    expect(await run('import os; print("bye", flush=True); os._exit(5)')).toEqual({
      output: 'bye\n',
      sessionEnd: { exitCode: 5, left: 0 },
    });
    expect(session.isOver).toBe(true);
  });

  it('is not doubled by a process that its code forks', async () => {
    const { run } = await start('python');
    const fork = 'import os\nif os.fork() == 0: print("child", flush=True)\nelse: os.wait(); print("parent")';
    expect(await run(fork)).toEqual({ output: 'child\nparent\n', exitCode: 0 });
    expect(await run('1')).toEqual({ output: '1\n', exitCode: 0 });
  });

  it('passes on what looks like its own marks', async () => {
    const { run } = await start('python');
    const text = 'import sys\nfor n in range(300): sys.stdout.write("\\n" + "ab" * 12 + " 0\\n" + "\\n"); sys.stdout.flush()';
    expect(await run(text)).toMatchObject({ exitCode: 0, output: `\n${'ab'.repeat(12)} 0\n\n`.repeat(300) });
  });
});

describe.skipIf(!testSandbox)('a session of JavaScript', () => {
  it('keeps variables, which may be declared again, and shows the value of a last expression', async () => {
    const { run } = await start('javascript');
    expect(await run("const fs = require('fs');\nlet x = 40;\nclass A {}\nfunction f(y) { return x + y; }")).toMatchObject({
      exitCode: 0,
    });
    expect(await run("const fs = require('fs');\nconst x = 2;\nclass A { a = 1 }\nf(1)")).toEqual({ output: '3\n', exitCode: 0 });
  });

  it('takes imports and await at the top, and waits for what it began', async () => {
    const { run } = await start('javascript');
    const imports =
      "import { readFile as read } from 'node:fs/promises';\nimport path, { join } from 'node:path';\nimport * as os from 'node:os';\n" +
      "import 'node:url';\nconst text = await read('/etc/hosts', 'utf8');\nconsole.log(text.length > 0, join('a', 'b'), path.sep, typeof os.cpus);";
    expect(await run(imports)).toEqual({ output: 'true a/b / function\n', exitCode: 0 });
    expect(await run("async function main() { await null; console.log('main'); }\nmain()")).toEqual({
      output: 'main\n',
      exitCode: 0,
    });
    expect((await run("setTimeout(() => console.log('later'), 50); 0")).output).toBe('0\nlater\n');
  });

  it('goes on after errors, which name their line', async () => {
    const { run } = await start('javascript');
    const { output, exitCode } = (await run('const y = 2;\nthrow new Error("no");')) as { output: string; exitCode: number };
    expect(exitCode).toBe(1);
    expect(output).toMatch(/Error: no\n\s+at call-\S+:2/);
    expect(await run('if (')).toMatchObject({ exitCode: 1 });
    expect(await run('y')).toEqual({ output: '2\n', exitCode: 0 });
  });
});
