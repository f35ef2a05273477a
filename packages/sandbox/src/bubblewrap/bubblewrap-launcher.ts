import { basename, dirname } from 'node:path';
import { descriptors, shell, type Sources, supervisor } from './bubblewrap-arguments.ts';
import type { SandboxUser } from '../workspace/sandbox-user.ts';

/** The only environment passed to bubblewrap and its launcher: in the sandbox it can be read. */
export const launchEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Folders that are empty by convention; mounts over them are only visible to the command. */
const stage = { workspace: '/media', node: '/mnt', egress: '/srv', library: '/opt', layer: '/var/local', memory: '/home' };

/** Has to follow every change of user, which resets it. */
const dieWithService = ['setpriv', '--pdeathsig=KILL'];

/**
 * Root becomes the user of the sandbox. That user could not reach the mount sources, which are in folders that only root can enter: they
 * are mounted elsewhere, in a mount namespace of this command only.
 */
function stepDown({ uid, gid }: SandboxUser, { workspace, nodeFile, egress, library, layer, memory }: Sources): Launch {
  const places = [
    [workspace, stage.workspace],
    [dirname(nodeFile), stage.node],
    ...(egress === null ? [] : [[egress, stage.egress]]),
    ...(library === null ? [] : [[library, stage.library]]),
    ...(layer === null ? [] : [[layer, stage.layer]]),
    // Last, because the others may be below it.
    ...(memory === null ? [] : [[memory, stage.memory]]),
  ];
  const mounts = places.map(([, place], index) => `mount --bind "$${index + 1}" ${place}`);
  const steps = [...mounts, `shift ${places.length}`, 'exec "$@"'].join(' && ');
  const script = ['sh', '-c', steps, 'sh', ...places.map(([source = '']) => source)];
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all'];
  return {
    prefix: ['unshare', '--mount', '--', ...script, ...dieWithService, ...identity, '--'],
    sources: {
      workspace: stage.workspace,
      nodeFile: `${stage.node}/${basename(nodeFile)}`,
      egress: egress === null ? null : stage.egress,
      library: library === null ? null : stage.library,
      layer: layer === null ? null : stage.layer,
      memory: memory === null ? null : stage.memory,
    },
  };
}

function closeAll(places: readonly number[]): string {
  return places.map((place) => `${place}>&-`).join(' ');
}

const { guard, ...forBubblewrap } = descriptors;

/**
 * Runs bubblewrap as its child, and gives it pipes for standard output and standard error: Node uses sockets for its children, on which
 * everything that opens /dev/stdout or /dev/stderr by name fails. A guard next to it waits for the service's signal that all is over. If
 * the service dies instead, the guard kills the whole group. That each of these processes dies with its parent is not enough: bubblewrap,
 * killed between creating the namespaces and releasing their first process, leaves that one waiting forever. Killed a little later, when
 * the first process has its own session and is not yet bound to its parent, it leaves it running: so the first process checks the pipe of
 * its supervisor, and the guard's signal too.
 */
function writeSupervisor(mergesOutput: boolean): string {
  const relay = `exec cat ${closeAll(Object.values(descriptors))}`;
  const quiet = `</dev/null >/dev/null 2>&1 ${closeAll(Object.values(forBubblewrap))}`;
  return [
    `{ read -r -N 1 -u ${guard} || kill -KILL 0; } ${quiet} &`,
    `exec > >(${relay}) ${mergesOutput ? '2>&1' : `2> >(${relay} >&2)`}`,
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
  mergesOutput: boolean;
}

export function planLaunch({ user, sources, mergesOutput }: LaunchRequest): Launch {
  const descent = user ? stepDown(user, sources) : { prefix: [...dieWithService, '--'], sources };
  return { ...descent, prefix: [...descent.prefix, ...shell, writeSupervisor(mergesOutput), 'sandbox'] };
}
