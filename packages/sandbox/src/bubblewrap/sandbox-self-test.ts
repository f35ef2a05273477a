import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment, innerUser } from './bubblewrap-arguments.ts';
import type { CodeLanguage, Sandbox } from '../sandbox.ts';
import { findModules, findPrograms } from '../programs/furnishings.ts';

/** Targets on the machine that must be unreachable. */
interface Bait {
  file: string;
  port: number;
}

/** What must be true inside, as shell conditions. */
function listGuards({ file, port }: Bait): Record<string, string> {
  const names = [...Object.keys(baseEnvironment), 'PWD', 'SHLVL', '_'].join('|');
  return {
    'commands have no privileges': `[[ $UID == ${innerUser.id} && $status =~ CapBnd:.0+.Cap && $status =~ NoNewPrivs:.1 ]]`,
    'system calls are filtered': '[[ $status =~ Seccomp:.2 ]]',
    'files of the machine are out of sight': `[[ ! -e '${file}' && ! -e /etc/shadow && ! -e /root && ! -e /home && ! -e /sys ]]`,
    'processes of the machine are out of sight': '(( $(printf "%s\\n" /proc/[0-9]* | wc -l) < 10 ))',
    'the environment of the service is out of sight': `! tr '\\0' '\\n' </proc/1/environ | grep -qvE '^(${names})='`,
    'the network is out of reach': `(( $(wc -l </proc/net/dev) == 3 )) && ! : 2>/dev/null <>/dev/tcp/127.0.0.1/${port}`,
    'only the workspace and /tmp can be written': 'cannot_write / /dev /etc /opt /usr /proc/sys/kernel',
    'processes are limited': '(( $(ulimit -Hu) < 1000 && $(ulimit -Hn) <= 1024 )) && [[ $(ulimit -Hd) != unlimited ]]',
  };
}

function writeScript(guards: Record<string, string>): string {
  return [
    'status=$(</proc/self/status)',
    'cannot_write() { for folder; do ! 2>/dev/null : >"$folder/written" || return 1; done; }',
    ...Object.entries(guards).map(([name, condition]) => `{ ${condition}; } || echo 'broken: ${name}'`),
    ...findPrograms,
    ...findModules,
    'echo done',
  ].join('\n');
}

const interpreters: Record<string, CodeLanguage> = { node: 'javascript', python3: 'python' };

function pick(lines: readonly string[], mark: string): string[] {
  return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
}

type Runner = Pick<Sandbox, 'run'>;

async function tryGuards(sandbox: Runner, folder: string, signal: AbortSignal) {
  const trap = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await once(trap, 'listening');
    const file = join(folder, 'bait');
    await writeFile(file, 'bait', { mode: 0o644 });
    const command = writeScript(listGuards({ file, port: (trap.address() as AddressInfo).port }));
    const workspace = { root: join(folder, 'workspace') };
    const { stdout } = await sandbox.run({ workspace, command, signal, mergesOutput: true });
    const lines = stdout.toString().trim().split('\n');
    const broken = lines.at(-1) === 'done' ? pick(lines, 'broken: ') : [`the check of its guards failed: ${lines.join(' ')}`];
    return { broken, programs: pick(lines, 'has: '), modules: pick(lines, 'module: ') };
  } finally {
    trap.close();
  }
}

/** A command that hides its children in the background; it is killed as soon as all of them run. */
async function tryKilling(sandbox: Runner, folder: string, signal: AbortSignal): Promise<string[]> {
  const ending = new AbortController();
  const workspace = { root: join(folder, 'workspace') };
  const command = '(setsid sleep 1000 &) ; sleep 1000 & echo up; wait';
  const ended = AbortSignal.any([ending.signal, signal]);
  try {
    await sandbox.run({ workspace, command, signal: ended, onOutput: () => ending.abort() });
  } catch (error) {
    if (error === ending.signal.reason) return [];
    throw error;
  }
  return ['a running command could not be ended'];
}

export interface SandboxFindings {
  /** The guards that do not hold. */
  broken: string[];
  languages: CodeLanguage[];
  programs: string[];
  /** The Python modules that were found. */
  modules: string[];
}

/** Tests each guard for real, and finds out what is installed. */
export async function testSandbox(sandbox: Runner, signal: AbortSignal): Promise<SandboxFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-sandbox-'));
  try {
    const [{ broken, programs, modules }, alive] = await Promise.all([
      tryGuards(sandbox, folder, signal),
      tryKilling(sandbox, folder, signal),
    ]);
    const languages = programs.flatMap((name) => interpreters[name] ?? []);
    return { broken: [...broken, ...alive], languages, programs, modules };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
