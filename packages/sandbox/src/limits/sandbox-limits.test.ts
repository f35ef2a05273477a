import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { runInFolder, type RunText, testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';

const mebibyte = 1024 * 1024;
/** Small enough for a test, large enough for Python. */
const small: Partial<SandboxLimits> = {
  memoryBytes: 200 * mebibyte,
  workspaceBytes: 64 * mebibyte,
  workspaceEntries: 2000,
  wallMs: 800_000,
};

let base: string;
let root: string;

beforeEach(() => {
  base = createFolder('limits');
  root = join(base, 'acc', 'task');
});

/** Uses the same code as the service: nothing left by a command may prevent removal. */
afterEach(async () => {
  await createWorkspaces(base).remove('acc', 'task');
  removeFolder(base);
});

function run(command: string, limits: Partial<SandboxLimits> = {}): Promise<RunText> {
  return runInFolder(root, command, { limits: { ...small, ...limits } });
}

/** `take(n)` really allocates n megabytes. */
const takeMemory = `import os, time
def take(megabytes):
    held = bytearray(megabytes << 20)
    for place in range(0, len(held), 4096): held[place] = 1
    return held`;

function runPython(code: string, limits?: Partial<SandboxLimits>): Promise<RunText> {
  return run(`python3 - <<'END'\n${code}\nEND`, limits);
}

describe.skipIf(!testSandbox)('a command', () => {
  it('is killed with everything it started after its timeout', async () => {
    const runFor = (wallMs: number) => run('echo begun; sleep 1000 & (setsid sleep 1000 &); sleep 1000', { wallMs });
    let result = await runFor(500);
    // A busy machine may not even begin in that time.
    for (let wallMs = 1000; result.end === 'time' && result.output === ''; wallMs *= 2) result = await runFor(wallMs);
    expect(result).toEqual({ end: 'time', exitCode: null, output: 'begun\n' });
  });

  it('loses a process that uses too much CPU time', async () => {
    expect(await run('bash -c "while :; do :; done"; echo $?', { cpuS: 1 })).toMatchObject({
      end: 'exit',
      output: expect.stringMatching(/137$/m) as string,
    });
  });

  it('cannot allocate more memory for one process than for all', async () => {
    expect(await runPython('x = bytearray(300 << 20)')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('MemoryError') as string,
    });
  });

  it('is killed if its processes use too much memory together', async () => {
    const code = `${takeMemory}
for _ in range(3):
    if os.fork() == 0: break
held = take(100)
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('can share memory between processes without counting it for each', async () => {
    const code = `${takeMemory}
held = take(90)
for _ in range(4):
    if os.fork() == 0: break
time.sleep(1)
print('done')`;
    expect(await runPython(code)).toMatchObject({ end: 'exit', output: expect.stringMatching(/^(done|\n)+$/) as string });
  });

  it('is killed if it hides memory in shared mappings', async () => {
    const code = `import mmap, time
held = []
for _ in range(8):
    area = mmap.mmap(-1, 50 << 20)
    for place in range(0, 50 << 20, 4096): area[place] = 1
    area.madvise(mmap.MADV_DONTNEED)
    held.append(area)
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('is killed if it hides memory in the kernel, as unread data of its TCP connections', async () => {
    const code = `import socket, time
listener = socket.create_server(('127.0.0.1', 0))
held = []
while True:
    held += [socket.create_connection(listener.getsockname()), listener.accept()[0]]
    for end in held[-2:]:
        end.setblocking(False)
    for end in held:
        try: end.send(bytes(1 << 20))
        except BlockingIOError: pass`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('is killed if it hides memory in many sockets, whatever buffer sizes it requests', async () => {
    const code = `import socket, time, os
def fill():
    held = []
    for _ in range(400):
        for end in socket.socketpair():
            before = end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, option, 4 << 20)
            assert end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == before, 'the buffer has grown'
            held.append(end)
    return held
os.fork()
held = fill()
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('is killed if it hides memory in the kernel, in many pipes that it cannot enlarge', async () => {
    const code = `import fcntl, os, time
try:
    fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
    raise SystemExit('the pipe has grown')
except PermissionError: pass
for _ in range(16):
    if os.fork() == 0: break
held = [os.pipe() for _ in range(450)]
for _, end in held:
    os.set_blocking(end, False)
    try: os.write(end, bytes(1 << 16))
    except BlockingIOError: pass
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('can use hundreds of pipes', async () => {
    const code = `import os
held = [os.pipe() for _ in range(500)]
print(len(held))`;
    expect(await runPython(code)).toMatchObject({ end: 'exit', output: '500\n' });
  });

  it('is killed if it hides memory in processes whose first thread has ended', async () => {
    const code = `${takeMemory}
import ctypes, platform, threading
held = []
exit_thread = {'x86_64': 60, 'aarch64': 93}[platform.machine()]
for _ in range(3):
    if os.fork() == 0: break
threading.Thread(target=lambda: (time.sleep(1), held.append(take(100)), time.sleep(1000))).start()
ctypes.CDLL(None).syscall(exit_thread, 0)`;
    expect(await runPython(code)).toMatchObject({ end: 'memory' });
  });

  it('cannot fill more than half of its memory with files in /tmp', async () => {
    const { output } = await run('head -c 150M /dev/zero >/tmp/big; stat -c %s /tmp/big');
    expect(Number(output.trim().split('\n').at(-1))).toBe(100 * mebibyte);
  });

  it('is killed if files in memory, even empty ones, use too much of it', async () => {
    expect(
      await run('mkdir /tmp/d; cd /tmp/d; for ((i = 0; i < 200000; i++)); do : >$i; done; sleep 1000', {
        memoryBytes: 100 * mebibyte,
      }),
    ).toMatchObject({
      end: 'memory',
    });
  });

  it('cannot exceed its process limit, whatever it tries, and ends with all of its processes', async () => {
    const code = `import os, time
def bomb():
    while True:
        try: os.fork()
        except OSError: pass
if os.fork() == 0: bomb()
def count(): return sum(name.isdigit() for name in os.listdir('/proc'))
while count() <= 4: time.sleep(0.1)
time.sleep(1)
print(count())`;
    const { end, output } = await runPython(code, { processes: 40 });
    expect(end).toBe('exit');
    expect(Number(output)).toBeGreaterThan(4);
    expect(Number(output)).toBeLessThanOrEqual(40);
  });

  it('does not reduce the process limit of another', async () => {
    const bomb = run('bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1000', { processes: 40, wallMs: 3000 });
    const neighbours = await Promise.all(
      [0, 1, 2].map((name) => runInFolder(join(base, 'acc', `n${name}`), 'echo $(echo $(echo well))')),
    );
    expect(neighbours.map(({ output }) => output)).toEqual(['well\n', 'well\n', 'well\n']);
    expect(await bomb).toMatchObject({ end: 'time' });
  });

  it('cannot exceed the file size limit', async () => {
    const { output } = await run('head -c 20M /dev/zero >big; stat -c %s big', { fileBytes: 10 * mebibyte });
    expect(output).toMatch(/^10485760$/m);
  });

  it('is killed if it fills the disk with large files', async () => {
    const command = 'for i in 1 2 3 4 5 6 7 8; do head -c 40M /dev/zero >f$i; done; sleep 1000';
    expect(await run(command)).toMatchObject({ end: 'disk' });
  });

  it('is killed if it fills the disk with deleted files that are still open', async () => {
    const code = `import os, time
held = []
for index in range(8):
    file = open(str(index), 'wb')
    os.unlink(str(index))
    file.write(b'x' * (40 << 20))
    file.flush()
    held.append(file)
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'disk' });
  });

  it('is killed if it hides files in a folder without read permission', async () => {
    const code = `import os, time
os.mkdir('locked')
held = [open(f'locked/{index}', 'wb') for index in range(4)]
os.chmod('locked', 0)
for file in held:
    file.write(b'x' * (40 << 20))
    file.flush()
time.sleep(1000)`;
    expect(await runPython(code)).toMatchObject({ end: 'disk' });
  });

  it('is killed if it creates too many files', async () => {
    const command = 'mkdir d; cd d; for ((i = 0; i < 20000; i++)); do : >$i; done; sleep 1000';
    expect(await run(command)).toMatchObject({ end: 'disk' });
  });

  it('can free space in a workspace over its limit, but not fill it further', async () => {
    const limits = { workspaceBytes: 150 * mebibyte };
    expect(await run('for i in 1 2 3 4; do head -c 50M /dev/zero >f$i; done; sleep 1000', limits)).toMatchObject({ end: 'disk' });
    expect(await run('sleep 1; head -c 60M /dev/zero >f5; sleep 1000', limits)).toMatchObject({ end: 'disk' });
    expect(await run('sleep 1; rm f*; echo room', limits)).toMatchObject({ end: 'exit', output: 'room\n' });
    expect(await run('head -c 50M /dev/zero >f1; sleep 1; echo written', limits)).toMatchObject({
      end: 'exit',
      output: 'written\n',
    });
  });

  it('is killed if it produces too much output, and earlier output is kept', async () => {
    const { end, output } = await run('yes', { outputBytes: 100_000 });
    expect({ end, length: output.length }).toEqual({ end: 'output', length: 100_000 });
    expect(await run('yes >&2', { outputBytes: 100_000 })).toMatchObject({ end: 'output' });
  });

  it('leaves no zombie processes that count toward its limit', async () => {
    const command =
      'for ((i = 0; i < 300; i++)); do (sleep 0 &); done; while grep -qs "State:.Z" /proc/[0-9]*/status; do sleep 0.1; done; echo none';
    expect(await run(command, { processes: 64 })).toMatchObject({ end: 'exit', output: 'none\n' });
  });
});

describe('what a command leaves behind', () => {
  it('can be used by the next one, even if it has locked the workspace itself', async (context) => {
    context.skip(!testSandbox);
    for (const lock of ['chmod 0 .', 'mkdir -p a/b; chmod -R 000 .']) {
      expect(await run(lock)).toMatchObject({ end: 'exit' });
      expect(await run('echo well >file; cat file')).toMatchObject({ end: 'exit', output: 'well\n' });
    }
  });

  it('is deleted with the task, whatever its permissions, nesting or names', async () => {
    mkdirSync(root, { recursive: true });
    execFileSync('bash', ['-c', 'mkdir -p a/b && chmod 0 a && printf x >"$(printf "\\377\\n")"'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await createWorkspaces(base).remove('acc', 'task');
    expect(existsSync(root)).toBe(false);
    expect(await createWorkspaces(base).list()).toEqual([]);
  });
});
