import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { runInFolder, testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import { openWorkspace } from '../workspace/workspace-folder.ts';

/**
 * Each attempt is a shell condition that is true if it succeeds. What `$BAIT_…` names is real: readable files, an open port, living
 * processes. Attempts marked `works outside` are also run outside the sandbox, where they must succeed.
 */
interface Attempt {
  name: string;
  /** For bash; `python` and `call` are defined in it. */
  attack: string;
  worksOutside?: boolean;
}

const files: Attempt[] = [
  { name: 'reads a file of the machine', attack: 'grep -q bait "$BAIT_FILE"', worksOutside: true },
  { name: 'reads it through its own root', attack: 'grep -q bait "/proc/self/root$BAIT_FILE"', worksOutside: true },
  { name: 'reads it through the first process', attack: 'grep -q bait "/proc/1/root$BAIT_FILE"' },
  { name: 'leaves the workspace with ..', attack: 'grep -q bait "../../../../../../../../../..$BAIT_FILE"', worksOutside: true },
  { name: 'reads through a link', attack: 'ln -sf "$BAIT_FILE" link && grep -q bait link', worksOutside: true },
  { name: 'creates a hard link to a file of the machine', attack: 'ln "$BAIT_FILE" second', worksOutside: true },
  { name: 'writes into a folder of the machine', attack: ': >"$BAIT_FOLDER/written"', worksOutside: true },
  { name: 'reads the workspace of another task', attack: 'grep -q bait "$BAIT_TASK/secret.txt"', worksOutside: true },
  {
    name: 'finds the workspace of another task beside its own',
    attack: 'cat ../*/secret.txt | grep -q bait',
    worksOutside: true,
  },
  { name: 'reads home directories', attack: 'ls -a /root /home | grep -q .' },
  { name: 'reads password hashes', attack: 'test -e /etc/shadow' },
  {
    name: 'reads configuration and keys of the machine',
    attack: 'ls -d /etc/ssh /etc/ssl/private /etc/environment /var/lib /run/systemd 2>/dev/null | grep -q .',
  },
  { name: 'reads shared memory files of others', attack: 'grep -q bait "$BAIT_SHARED"', worksOutside: true },
  {
    name: 'finds a descriptor outside the sandbox',
    attack: 'ls -l /proc/[0-9]*/fd | grep -E -- "-> /" | grep -vqE -- "-> /(dev/null|proc/|tmp|usr/|lib|etc/ld.so)"',
  },
  {
    name: 'leaves the sandbox through a descriptor',
    attack: 'for fd in /proc/[0-9]*/fd/*; do grep -qs bait "$fd/..$BAIT_FILE" && break; done',
  },
  {
    name: 'reads raw disks or memory',
    attack: 'cat /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmem /dev/port /proc/kcore 2>/dev/null | head -c 1 | grep -qa .',
  },
  { name: 'creates a device', attack: 'python "import os, stat; os.mknod(\'disk\', 0o600 | stat.S_IFBLK, os.makedev(254, 0))"' },
  { name: 'reads device information of the kernel', attack: 'test -e /sys/class' },
  { name: 'changes a program of the machine', attack: 'echo x >>/usr/bin/ls || echo x >>/bin/bash || echo x >>/opt/node/node' },
  { name: 'changes the user database', attack: 'echo "root::0:0::/:/bin/sh" >/etc/passwd' },
  {
    name: 'writes outside the workspace and /tmp',
    attack:
      '[ -n "$(find / -path /proc -prune -o -path /workspace -prune -o -type d -writable -exec touch {}/x \\; -print | while read -r d; do ls "$d/x"; done | grep -v -e ^/tmp/ -e ^/dev/shm/)" ]',
  },
];

/** The kernel takes one such change of all ordinary users in a tenth of a second, and in some containers none. */
const changesPriority = 'for attempt in {1..50000}; do echo 0 >/proc/self/autogroup && break; done 2>/dev/null';

/** Whether a shell of this machine can do it, for what not every machine allows. */
const succeedsHere = (attack: string) => spawnSync('bash', ['-c', attack]).status === 0;

const processes: Attempt[] = [
  { name: 'sees a process of the machine', attack: 'grep -qsa "$BAIT_COMMAND" /proc/[0-9]*/cmdline', worksOutside: true },
  { name: 'signals a process of the machine', attack: 'kill -0 "$BAIT_PID"', worksOutside: true },
  { name: 'ends every process it can see', attack: 'kill -9 -1 && false' },
  {
    name: 'reads the memory of another process',
    attack:
      "python \"import os; sleeper = os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '9'); import ctypes; exit(ctypes.CDLL(None).ptrace(16, sleeper, 0, 0) != 0)\"",
    worksOutside: true,
  },
  { name: 'writes into the memory of another process', attack: 'call 311 1 0 0 0 0 0' },
  { name: 'becomes root with setuid', attack: 'python "import os; os.setuid(0)"' },
  {
    name: 'becomes root with a setuid program',
    attack: 'su -c true </dev/null || sudo -n true || pkexec true </dev/null',
  },
  { name: 'creates a setuid program', attack: 'cp /usr/bin/id ./id && chmod 6755 id && [ "$(./id -u)" != "$UID" ]' },
  { name: 'gains a capability', attack: '[ "$(grep -h ^Cap /proc/self/status | grep -vc ":.0*$")" != 0 ]' },
  { name: 'takes priority over the service', attack: 'renice -n -5 $$ || [ "$(nice)" -lt 5 ]' },
  { name: 'changes the priority of its session', attack: changesPriority, worksOutside: succeedsHere(changesPriority) },
  {
    name: 'raises its limits',
    attack: 'ulimit -u 100000 || ulimit -f unlimited || ulimit -d unlimited || ulimit -n 100000 || ulimit -t unlimited',
  },
  {
    name: 'exempts itself from the OOM killer',
    attack: 'echo -1000 >/proc/self/oom_score_adj || [ "$(</proc/self/oom_score_adj)" != 1000 ]',
  },
  {
    name: 'creates its own session',
    attack: 'python "import os; os.fork() and exit(1); os.setsid(); exit(os.getsid(0) != os.getpid())"',
  },
];

const kernel: Attempt[] = [
  { name: 'creates a namespace', attack: 'unshare -U true || unshare -r true || unshare -m true' },
  { name: 'creates one with clone', attack: 'call 56 $((0x10000011)) 0 0 0 0' },
  {
    name: 'creates one with clone3',
    attack:
      'python "import ctypes; exit(ctypes.CDLL(None).syscall(435, (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17), 88) < 0)"',
  },
  { name: 'enters a namespace', attack: 'nsenter -t 1 -m true || nsenter -t 1 -U true' },
  { name: 'mounts a file system', attack: 'mount -t tmpfs none /tmp || mount --bind / /tmp || mount -t proc none /proc' },
  {
    name: 'mounts a file system with fsopen',
    attack: 'python "import ctypes; exit(ctypes.CDLL(None).syscall(430, b\'tmpfs\', 0) < 0)"',
  },
  { name: 'makes a mount writable', attack: 'mount -o remount,rw,bind /usr || mount -o remount,rw /' },
  { name: 'removes a mount', attack: 'umount /workspace || umount -l /proc' },
  { name: 'changes its root', attack: 'python "import os; os.chroot(\'/tmp\')" || call 155 0 0' },
  {
    name: 'changes kernel settings',
    attack: 'echo x >/proc/sys/kernel/core_pattern || echo 1 >/proc/sys/vm/drop_caches || echo h >/proc/sysrq-trigger',
  },
  { name: 'loads a program into the kernel', attack: 'call 321 0 0 0' },
  { name: 'reads kernel messages', attack: 'dmesg | grep -q . || call 103 3 0 0' },
  { name: 'measures other processes', attack: 'call 298 0 0 0 0 0' },
  {
    name: 'stores a key in the kernel keyring',
    attack: "python \"import ctypes; exit(ctypes.CDLL(None).syscall(248, b'user', b'x', b'x', 1, -4) < 0)\"",
  },
  { name: 'opens a file by its handle', attack: 'call 304 0 0 0' },
  { name: 'handles page faults', attack: 'call 323 1' },
  {
    name: 'queues work in the kernel',
    attack: 'python "import ctypes; exit(ctypes.CDLL(None).syscall(425, 1, (ctypes.c_char * 120)()) < 0)"',
  },
  { name: 'allocates anonymous memory files', attack: 'python "import os; os.memfd_create(\'x\')"', worksOutside: true },
  { name: 'allocates memory that outlives it', attack: 'call 29 0 4096 512', worksOutside: true },
  { name: 'renames the machine', attack: 'hostname elsewhere' },
  { name: 'sets the clock', attack: 'date -s "2001-01-01" || call 227 0 0' },
  { name: 'restarts the machine', attack: 'call 169 $((0xfee1dead)) 672274793 0 0' },
];

const network: Attempt[] = [
  { name: 'connects to a port of the machine', attack: ': <>/dev/tcp/127.0.0.1/$BAIT_PORT', worksOutside: true },
  {
    name: 'connects to an address of the machine',
    attack: 'for ip in $BAIT_ADDRESSES; do timeout 2 bash -c ": <>/dev/tcp/$ip/$BAIT_PORT" && break; done',
  },
  { name: 'connects to the internet', attack: 'timeout 2 bash -c ": <>/dev/tcp/1.1.1.1/443"' },
  {
    name: 'sends a packet',
    attack: "python \"import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('1.1.1.1', 53))\"",
  },
  { name: 'resolves a name', attack: 'timeout 5 getent hosts example.com' },
  { name: 'has a network route', attack: '[ "$(wc -l </proc/net/route)" -gt 1 ] || [ "$(wc -l </proc/net/dev)" -gt 3 ]' },
  {
    name: 'connects to a socket in the file system',
    attack: 'python "import socket, os; socket.socket(socket.AF_UNIX).connect(os.environ[\'BAIT_SOCKET\'])"',
    worksOutside: true,
  },
  {
    name: 'connects to a socket without a file',
    attack: 'python "import socket, os; socket.socket(socket.AF_UNIX).connect(chr(0) + os.environ[\'BAIT_ABSTRACT\'])"',
    worksOutside: true,
  },
  { name: 'connects to the hypervisor', attack: 'python "import socket; socket.socket(40, socket.SOCK_STREAM)"' },
  {
    name: 'captures network traffic',
    attack:
      'python "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)" || python "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"',
  },
  { name: 'uses kernel crypto sockets', attack: 'python "import socket; socket.socket(38, socket.SOCK_SEQPACKET)"' },
  { name: 'creates a network device', attack: 'ip link add x type dummy' },
  {
    name: 'types into the terminal of the service',
    attack: "python \"import fcntl; fcntl.ioctl(open('/dev/tty'), 0x5412, b'x')\"",
  },
];

const attempts = [...files, ...processes, ...kernel, ...network];

/** Runs Python code; makes a system call by number (x86-64). */
const preamble = `
python() { python3 -c "$1"; }
call() { python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(*map(ctypes.c_long, map(int, sys.argv[1:]))) < 0)' "$@"; }
`;

const isIntel = process.arch === 'x64';
const abstractName = `errand-bait-${process.pid}-${Date.now()}`;

let base: string;
let root: string;
let bait: Record<string, string>;
let sleeper: ReturnType<typeof spawn>;
const servers: Server[] = [];

async function listen(at: string | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  const { promise, resolve } = Promise.withResolvers<void>();
  if (typeof at === 'string') server.listen(at, resolve);
  else server.listen(at, resolve);
  await promise;
  servers.push(server);
  return server;
}

beforeAll(async () => {
  base = createFolder('escapes');
  root = join(base, 'acc', 'task');
  const [file, other, shared] = [join(base, 'secret.txt'), join(base, 'acc', 'other'), `/dev/shm/errand-bait-${process.pid}`];
  mkdirSync(root, { recursive: true });
  mkdirSync(other);
  for (const path of [file, shared, join(other, 'secret.txt')]) writeFileSync(path, 'bait');
  sleeper = spawn('sleep', ['98765'], { stdio: 'ignore' });
  const server = await listen({ host: '0.0.0.0', port: 0 });
  await listen(join(base, 'bait.sock'));
  await listen(`\0${abstractName}`);
  bait = {
    BAIT_FILE: file,
    BAIT_FOLDER: base,
    BAIT_TASK: other,
    BAIT_SHARED: shared,
    BAIT_COMMAND: '98765',
    BAIT_PID: String(sleeper.pid),
    BAIT_PORT: String((server.address() as AddressInfo).port),
    BAIT_ADDRESSES: execFileSync('hostname', ['-I']).toString().trim(),
    BAIT_SOCKET: join(base, 'bait.sock'),
    BAIT_ABSTRACT: abstractName,
  };
});

afterAll(() => {
  sleeper.kill();
  for (const server of servers) server.close();
  rmSync(bait.BAIT_SHARED ?? '', { force: true });
  removeFolder(base);
});

/** The output for an attempt that was cut off is no success either. */
function writeScript({ attack }: Attempt): string {
  return `${preamble}\nif { ${attack}; } >/dev/null 2>&1; then echo escaped; else echo held; fi`;
}

describe.skipIf(!testSandbox)('a sandboxed command never', () => {
  it.for(attempts)('$name', async (attempt) => {
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...bait };
    if (attempt.worksOutside && (isIntel || !attempt.attack.includes('call '))) {
      const outside = execFileSync('bash', ['-c', writeScript(attempt)], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(outside.toString()).toBe('escaped\n');
    }
    const { output } = await runInFolder(root, writeScript(attempt), { env });
    expect(output).not.toContain('escaped');
    expect(output === 'held\n' || attempt.name.startsWith('ends every process')).toBe(true);
  });

  it('makes the service leave the workspace or block on its files', async () => {
    const traps = 'ln -s "$BAIT_FILE" link; ln -s "$BAIT_FOLDER" folder; ln -s / root; mkfifo pipe; ln -s /proc/self/environ own';
    await runInFolder(root, `rm -rf -- *; ${traps}; mkdir plain; ln -s ../.. plain/up; echo x >plain/file`, { env: bait });
    const workspace = openWorkspace(root);
    for (const path of ['link', 'folder/secret.txt', `root${bait.BAIT_FILE}`, 'pipe', 'own', 'plain/up/other/secret.txt'])
      await expect(workspace.read(path), path).rejects.toMatchObject({ name: 'Fault' });
    await expect(workspace.write('folder/written', 'x')).rejects.toMatchObject({ name: 'Fault' });
    expect((await workspace.list('.', 100)).map(({ path }) => path)).toEqual(['plain', 'plain/file']);
  });

  it('harms the machine with any of these attempts', () => {
    expect(sleeper.exitCode).toBeNull();
    expect(sleeper.signalCode).toBeNull();
    expect(servers.every((server) => server.listening)).toBe(true);
  });
});
