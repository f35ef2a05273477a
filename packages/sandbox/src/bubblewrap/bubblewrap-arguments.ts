import { memoryMounts } from '../limits/memory-usage.ts';
import { lstat, readlink } from 'node:fs/promises';
import { fontsMount, layerMount, libraryMount, type SandboxLimits } from '../sandbox.ts';
import { egressMount, proxyEnvironment, startForwarder } from '../egress/egress-forwarder.ts';
import { memoryMount, workspaceMount } from '../workspace/workspace-path.ts';

/** Descriptors passed on besides the standard ones: in this order, without gaps. */
export const descriptors = { status: 3, filter: 4, passwd: 5, group: 6, hosts: 7, nsswitch: 8, guard: 9 } as const;

/** A pipe that nobody but the supervisor and bubblewrap can write to: readable once they are gone. */
export const supervisor = { read: 10, write: 11 } as const;

/** The user that commands see themselves as. */
export const innerUser = { id: 1000, name: 'agent' } as const;

/**
 * The shell for everything. It must not read its startup file, which it otherwise does whenever its input is a socket, as with processes
 * started by Node.
 */
export const shell = ['bash', '--norc', '-c'];

const nodeFolder = '/opt/node';

/** The environment of every command. */
export const baseEnvironment: Readonly<Record<string, string>> = {
  PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`,
  HOME: '/tmp',
  TMPDIR: '/tmp',
  USER: innerUser.name,
  LOGNAME: innerUser.name,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Files of /etc that are written for the sandbox, so that user and host names resolve. */
export const inventedFiles = {
  passwd: `${innerUser.name}:x:${innerUser.id}:${innerUser.id}::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
  group: `${innerUser.name}:x:${innerUser.id}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  nsswitch: 'passwd: files\ngroup: files\nhosts: files\n',
} as const;

/** The parts of the machine's /etc that programs need; none is secret. */
const sharedFiles = [
  'alternatives',
  'fonts',
  'ImageMagick-6',
  'ImageMagick-7',
  'java-17-openjdk',
  'java-21-openjdk',
  'ld.so.cache',
  'libreoffice',
  'localtime',
  'mime.types',
  'ssl/certs',
  'ssl/openssl.cnf',
];

/** Where distributions keep programs besides /usr; on most of them these are links into it. */
const programFolders = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

async function mountProgramFolder(name: string): Promise<string[]> {
  const path = `/${name}`;
  const found = await lstat(path).catch(() => null);
  if (!found) return [];
  return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
}

/** The arguments that mount the machine's programs; constant for the life of the service. */
export async function listSystemMounts(): Promise<string[]> {
  const folders = await Promise.all(programFolders.map(mountProgramFolder));
  const files = sharedFiles.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]);
  return ['--ro-bind', '/usr', '/usr', ...folders.flat(), '--perms', '0755', '--dir', '/etc', ...files];
}

const isolation = [
  ...['user', 'ipc', 'pid', 'net', 'uts', 'cgroup'].map((name) => `--unshare-${name}`),
  '--disable-userns',
  ...['--uid', String(innerUser.id), '--gid', String(innerUser.id), '--hostname', 'sandbox'],
  // The first process is ours, so the kernel kills all others with it, and bubblewrap exits only after they are gone.
  '--as-pid-1',
  '--new-session',
  '--die-with-parent',
];

/** Every in-memory file system has a size limit, and only the workspace is writable besides. */
function listMounts({ systemMounts, sources, workspaceAt = workspaceMount, limits }: BubblewrapPlan): string[] {
  const inMemory = ['--perms', '1777', '--size', String(Math.floor(limits.memoryBytes / 2)), '--tmpfs'];
  const files = Object.keys(inventedFiles) as (keyof typeof inventedFiles)[];
  return [
    ...systemMounts,
    ...['--proc', '/proc', '--dev', '/dev'],
    ...memoryMounts.flatMap((path) => [...inMemory, path]),
    // Nothing in it is to be changed: not the priority of its session, for example.
    ...['--remount-ro', '/dev', '--remount-ro', '/proc'],
    ...['--perms', '0755', '--dir', '/opt', '--perms', '0755', '--dir', nodeFolder],
    ...files.flatMap((name) => ['--perms', '0644', '--file', String(descriptors[name]), etcPath(name)]),
    ...['--ro-bind', sources.nodeFile, `${nodeFolder}/node`],
    ...(sources.library === null ? [] : ['--ro-bind', sources.library, libraryMount]),
    ...(sources.layer === null ? [] : ['--ro-bind', sources.layer, layerMount]),
    ...(sources.fonts === null ? [] : ['--ro-bind', sources.fonts, fontsMount]),
    ...(sources.egress === null ? [] : ['--ro-bind', sources.egress, egressMount]),
    ...(sources.memory === null ? [] : ['--bind', sources.memory, memoryMount]),
    ...['--bind', sources.workspace, workspaceAt, '--chdir', workspaceAt],
    ...['--remount-ro', '/'],
  ];
}

function etcPath(name: keyof typeof inventedFiles): string {
  return name === 'nsswitch' ? '/etc/nsswitch.conf' : `/etc/${name}`;
}

/** Limits the number of processes from the shell's own command on; no process can raise it again. */
function limitProcesses({ cpuS, memoryBytes, processes, fileBytes }: SandboxLimits): string {
  const kibibytes = (bytes: number) => Math.ceil(bytes / 1024);
  return `ulimit -t ${cpuS} -d ${kibibytes(memoryBytes)} -u ${processes} -f ${kibibytes(fileBytes)} -n 1024 -c 0`;
}

/**
 * The first process waits for a line, so that nothing runs before the service controls it; checks that its supervisor and the service are
 * still alive, since it only dies with its parents from its own start on (the supervisor dies with the main thread of the service, whose
 * pipes stay open until its last thread has ended); closes inherited descriptors, even from the service's parent; and stays the parent of
 * everything until the command ends.
 */
function writeFirstScript({ hasInput, isPersistent = false, limits, sources }: BubblewrapPlan): string {
  const lines = [
    'read -r || exit 125',
    `exec ${supervisor.write}>&-`,
    `read -t 0 -u ${supervisor.read} && exit 125`,
    `read -t 0 -u ${descriptors.guard} && exit 125`,
    'for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd > 2)) && exec {fd}>&-; done',
    ...(hasInput ? [] : ['exec </dev/null']),
    `${limitProcesses(limits)} || exit 125`,
    '[[ -d $HOME ]] || mkdir -p "$HOME"',
    ...(sources.egress === null ? [] : startForwarder),
    isPersistent ? '(eval "$1")' : '"$@"',
    'exit $?',
  ];
  return lines.join('\n');
}

/** The machine's files for a command, as paths. */
export interface Sources {
  workspace: string;
  /** The folder of the service mounted for it, if any. */
  library: string | null;
  /** What a setup script has made, if anything. */
  layer: string | null;
  /** Fonts of the service, if it needs any. */
  fonts: string | null;
  /** The folder of the task's memory, if it has one. */
  memory: string | null;
  /** The folder with its proxy socket, if it has one. */
  egress: string | null;
  /** The Node that runs code. */
  nodeFile: string;
}

export interface BubblewrapPlan {
  systemMounts: readonly string[];
  sources: Sources;
  /** Where the workspace is mounted; /workspace by default. */
  workspaceAt?: string;
  command: readonly string[];
  /** The command is a script for this very shell, which need not start another one for it. */
  isPersistent?: boolean;
  env: Readonly<Record<string, string>>;
  /** Whether standard input contains more than the line that starts the command. */
  hasInput: boolean;
  limits: SandboxLimits;
}

/** The arguments of bubblewrap for one command. */
export function buildArguments(plan: BubblewrapPlan): string[] {
  const { command, env } = plan;
  return [
    ...isolation,
    ...['--json-status-fd', String(descriptors.status), '--seccomp', String(descriptors.filter)],
    ...listMounts(plan),
    ...Object.entries({ ...baseEnvironment, ...(plan.sources.egress !== null && proxyEnvironment), ...env }).flatMap(
      ([name, value]) => ['--setenv', name, value],
    ),
    ...['--', ...shell, writeFirstScript(plan), 'sandbox', ...command],
  ];
}
