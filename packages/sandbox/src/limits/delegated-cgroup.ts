import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MemoryLimit } from '../sandbox.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';

export interface CgroupSources {
  /** Where cgroups v2 are mounted. */
  root: string;
  /** The file that names the cgroup of this process. */
  membership: string;
  pid: number;
}

/** Where this machine shows its cgroups. */
export const machineCgroups = (pid: number): CgroupSources => ({ root: '/sys/fs/cgroup', membership: '/proc/self/cgroup', pid });

/** The cgroup that the service moves itself into: a cgroup with processes of its own cannot limit others below it. */
const serviceGroup = 'errand-service';
const remedy = 'start the service with Delegate=memory (docs/operate/sandbox.md)';

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function findBase({ root, membership }: CgroupSources): { base: string } | { reason: string } {
  const own = /^0::(\/.*)$/m.exec(readText(membership) ?? '')?.[1];
  if (own === undefined || readText(join(root, 'cgroup.controllers')) === null) {
    return { reason: 'this system has no cgroups v2 at /sys/fs/cgroup' };
  }
  const folder = join(root, own);
  const base = basename(folder) === serviceGroup ? dirname(folder) : folder;
  const controllers = readText(join(base, 'cgroup.controllers'))?.split(' ') ?? [];
  if (!controllers.includes('memory')) return { reason: `the service's cgroup does not control memory; ${remedy}` };
  const isOurs = [base, ...['cgroup.procs', 'cgroup.subtree_control'].map((name) => join(base, name))].every(isWritable);
  return isOurs ? { base } : { reason: `the service's cgroup is not delegated to it; ${remedy}` };
}

/** Attempts an operation that the kernel may refuse. */
function unlessRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/**
 * Takes over the cgroup of the service if it is delegated to it: moves the service into a child, so that sandboxes can have others.
 * Otherwise changes nothing and says why.
 */
export function takeOverCgroup(sources: CgroupSources): MemoryLimit {
  const found = findBase(sources);
  if ('reason' in found) return { by: 'service', reason: found.reason };
  const { base } = found;
  const service = join(base, serviceGroup);
  try {
    mkdirSync(service, { recursive: true });
    writeFileSync(join(service, 'cgroup.procs'), String(sources.pid));
    writeFileSync(join(base, 'cgroup.subtree_control'), '+memory');
    return { by: 'kernel', folder: base };
  } catch (error) {
    unlessRefused(() => writeFileSync(join(base, 'cgroup.procs'), String(sources.pid)));
    unlessRefused(() => rmdirSync(service));
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const why = code === 'EBUSY' ? 'other processes share the cgroup of the service' : `its cgroup cannot be divided (${code})`;
    return { by: 'service', reason: `${why}; ${remedy}` };
  }
}
