import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode } from '../workspace/file-fault.ts';
import type { SandboxUser } from '../workspace/sandbox-user.ts';
import type { Sources } from './bubblewrap-arguments.ts';

/** Folders that are empty by convention; mounts over them are only visible to the command. Nothing of the sandbox is in them. */
const stages = ['/media', '/mnt', '/srv', '/opt', '/home', '/var/local', '/var/opt'];

const everyoneMay = { read: 0o004, enter: 0o001 } as const;

function canEnter(folder: string): boolean {
  return (statSync(folder).mode & everyoneMay.enter) !== 0 && (folder === '/' || canEnter(dirname(folder)));
}

/** Whether a user without groups owns a path or may use it, and may enter all folders on the way to it; false if in doubt. */
function canReach(path: string, { uid }: SandboxUser): boolean {
  try {
    const { uid: owner, mode } = statSync(path);
    const wanted = everyoneMay.read | everyoneMay.enter;
    return (owner === uid || (mode & wanted) === wanted) && canEnter(dirname(realpathSync(path)));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

export interface StagedSources {
  /** The beginning of a command line that mounts them; empty if the user reaches them all. */
  mounts: string[];
  /** Paths of the sources for the rest of that command line. */
  reachable: Sources;
}

/**
 * Makes sources reachable for a user, without a way to anything beside them: those in folders that only root can enter are mounted
 * elsewhere, in a mount namespace of one command. Each such step starts programs, so what is reachable stays where it is.
 */
export function stageSources(sources: Sources, user: SandboxUser): StagedSources {
  const used = Object.entries(sources).flatMap(([name, path]: [string, string | null]) =>
    path === null ? [] : [{ name, path }],
  );
  const hidden = used.filter(({ path }) => !canReach(path, user));
  if (hidden.length === 0) return { mounts: [], reachable: sources };
  // One that lies below another's place would be covered by it.
  const real = used.map(({ path }) => (existsSync(path) ? realpathSync(path) : path));
  const free = stages.filter((stage) => existsSync(stage) && !real.some((path) => isBelow(path, stage)));
  const staged = hidden.map(({ name, path }, index) => {
    const place = free[index];
    if (place === undefined) throw new Error(`no place is left to mount ${path}`);
    // A place is a folder.
    if (name === 'nodeFile') return { name, source: dirname(path), place, at: join(place, basename(path)) };
    return { name, source: path, place, at: place };
  });
  const steps = staged.map(({ place }, index) => `mount --bind "$${index + 1}" ${place}`);
  const script = [...steps, `shift ${staged.length}`, 'exec "$@"'].join(' && ');
  return {
    mounts: ['unshare', '--mount', '--', 'sh', '-c', script, 'sh', ...staged.map(({ source }) => source)],
    reachable: { ...sources, ...Object.fromEntries(staged.map(({ name, at }) => [name, at])) },
  };
}
