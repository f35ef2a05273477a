import { basename, dirname } from 'node:path';
import { descriptors, shell, type Sources } from './bubblewrap-arguments.ts';
import type { SandboxUser } from '../workspace/sandbox-user.ts';

/** All that bubblewrap and what starts it know of the service's environment: in the sandbox it can be read. */
export const launchEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Folders that are empty by convention; what is mounted over them is seen by the command alone. */
const stage = { workspace: '/media', node: '/mnt', egress: '/srv', library: '/opt' };

/** Has to come after every change of user, which takes it back. */
const dieWithService = ['setpriv', '--pdeathsig=KILL'];

/**
 * Root becomes the user of the sandbox. That user could not find the way to the sources, which lie in folders that only root
 * can enter: they are shown in another place, in a mount namespace that only this command is in.
 */
function stepDown({ uid, gid }: SandboxUser, { workspace, nodeFile, egress, library }: Sources): Launch {
  const places = [
    [workspace, stage.workspace],
    [dirname(nodeFile), stage.node],
    ...(egress === null ? [] : [[egress, stage.egress]]),
    ...(library === null ? [] : [[library, stage.library]]),
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
    },
  };
}

function closeAll(places: readonly number[]): string {
  return places.map((place) => `${place}>&-`).join(' ');
}

const { guard, ...forBubblewrap } = descriptors;

/**
 * Runs bubblewrap as its child, and gives it pipes for standard output and standard error: Node has sockets for its children, on
 * which everything that opens /dev/stdout or /dev/stderr by name fails.
 *
 * A guard beside it waits for a sign of the service that all is over. When the service dies instead, the guard ends the whole
 * group. That each of these processes dies with its parent is not enough: bubblewrap, killed between making the namespaces and
 * releasing their first process, leaves that one waiting forever. Killed a little later, when that one has a session of its own
 * and is not yet bound to its parent, it leaves it running: so that one is shown the guard's sign too.
 */
function writeSupervisor(mergesOutput: boolean): string {
  const relay = `exec cat ${closeAll(Object.values(descriptors))}`;
  const quiet = `</dev/null >/dev/null 2>&1 ${closeAll(Object.values(forBubblewrap))}`;
  return [
    `{ read -r -N 1 -u ${guard} || kill -KILL 0; } ${quiet} &`,
    `exec > >(${relay}) ${mergesOutput ? '2>&1' : `2> >(${relay} >&2)`}`,
    '"$@"',
    `exec ${closeAll([1, 2, ...Object.values(descriptors)])}`,
    'wait',
  ].join('\n');
}

/** What comes before bubblewrap on the command line, and where bubblewrap finds the sources. */
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
