import { join } from 'node:path';
import { descriptors, shell, type Sources, supervisor } from './bubblewrap-arguments.ts';
import { stageSources } from './staged-sources.ts';
import type { SandboxUser } from '../workspace/sandbox-user.ts';

/** The only environment passed to bubblewrap and its launcher: in the sandbox it can be read. */
export const launchEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Makes the process die with the service. Must follow every change of user, which resets it. */
const dieWithService = ['setpriv', '--pdeathsig=KILL'];

/** Changes from root to the user of the sandbox, for which sources that only root can reach are mounted elsewhere. */
function stepDown({ uid, gid }: SandboxUser, sources: Sources): Launch {
  const { mounts, reachable } = stageSources(sources, { uid, gid });
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all'];
  return { prefix: [...mounts, ...dieWithService, ...identity, '--'], sources: reachable };
}

function closeAll(places: readonly number[]): string {
  return places.map((place) => `${place}>&-`).join(' ');
}

const { guard, ...forBubblewrap } = descriptors;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Creates pipes in the shell, because starting a program from the service costs far more: all of its memory is prepared for a copy. */
function makePipes(folder: string, names: readonly string[]): string {
  return `mkfifo -m 600 ${names.map((name) => quote(join(folder, name))).join(' ')} || exit 1`;
}

/**
 * Gives bubblewrap pipes for standard output and standard error: Node uses sockets for its children, on which everything that opens
 * /dev/stdout or /dev/stderr by name fails.
 */
function writeRelays(mergesOutput: boolean): string {
  const relay = `exec cat ${closeAll(Object.values(descriptors))}`;
  return `exec > >(${relay}) ${mergesOutput ? '2>&1' : `2> >(${relay} >&2)`}`;
}

/**
 * Runs bubblewrap as its child. A guard next to it waits for the service's signal that all is over. If the service dies instead, the
 * guard kills the whole group. That each of these processes dies with its parent is not enough: bubblewrap, killed between creating the
 * namespaces and releasing their first process, leaves that one waiting forever. Killed a little later, when the first process has its own
 * session and is not yet bound to its parent, it leaves it running: so the first process checks the pipe of its supervisor, and the
 * guard's signal too.
 */
function writeSupervisor({ output, pipes }: LaunchRequest, library: string | null): string {
  const quiet = `</dev/null >/dev/null 2>&1 ${closeAll(Object.values(forBubblewrap))}`;
  return [
    `{ read -r -N 1 -u ${guard} || kill -KILL 0; } ${quiet} &`,
    ...(library === null || pipes.length === 0 ? [] : [makePipes(library, pipes)]),
    ...(output === 'sockets' ? [] : [writeRelays(output === 'merged pipe')]),
    // After the relays, which must not hold it. A pipe of bash comes with a process, which ends at once.
    `exec 12<> <(:) ${supervisor.read}</dev/fd/12 ${supervisor.write}>/dev/fd/12 12>&-`,
    // The preferred victim of the OOM killer, with all that it starts.
    '(echo 1000 >/proc/self/oom_score_adj; exec "$@")',
    `exec ${closeAll([1, 2, ...Object.values(descriptors)])}`,
    'wait',
  ].join('\n');
}

/** What precedes bubblewrap on the command line, and where bubblewrap finds the mount sources. */
export interface Launch {
  prefix: string[];
  sources: Sources;
}

export interface LaunchRequest {
  user: SandboxUser | null;
  sources: Sources;
  /** Where bubblewrap writes its output: pipes, or what Node gives to its children, which costs less. */
  output: 'pipes' | 'merged pipe' | 'sockets';
  /** Names of pipes to create in its library. */
  pipes: readonly string[];
}

export function planLaunch(request: LaunchRequest): Launch {
  const { user, sources } = request;
  const descent = user ? stepDown(user, sources) : { prefix: [...dieWithService, '--'], sources };
  return { ...descent, prefix: [...descent.prefix, ...shell, writeSupervisor(request, descent.sources.library), 'sandbox'] };
}
