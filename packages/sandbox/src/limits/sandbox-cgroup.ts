import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid as servicePid } from 'node:process';
import type { Log } from '@errand/base/log.ts';
import type { MemoryLimit } from '../sandbox.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';

interface Limiting {
  memoryLimit: MemoryLimit;
  log: Log;
}

const swapLimit = 'memory.swap.max';

/** The cgroup of one sandbox: the kernel kills all its processes together if they exceed the memory limit. */
export class SandboxCgroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates an empty cgroup in a delegated one. Throws the system's error if that fails. */
  static open(parent: string, name: string, memoryBytes: number): SandboxCgroup {
    const group = new SandboxCgroup(join(parent, `errand-sandbox-${name}`));
    mkdirSync(group.#folder);
    try {
      group.#write('memory.max', String(memoryBytes));
      group.#write('memory.oom.group', '1');
      // A kernel without swap has no such limit.
      if (existsSync(join(group.#folder, swapLimit))) group.#write(swapLimit, '0');
    } catch (error) {
      group.close();
      throw error;
    }
    return group;
  }

  /** Moves a process here, along with the processes it starts from now on. */
  join(pid: number): void {
    this.#write('cgroup.procs', String(pid));
  }

  /** Whether the kernel has killed a process because of the limit. */
  hasExceededMemory(): boolean {
    try {
      return /^oom_kill [1-9]/m.test(readFileSync(join(this.#folder, 'memory.events'), 'utf8'));
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      return false;
    }
  }

  /** Removes the cgroup, whose processes must be gone. What remains is removed with the service's own cgroup. */
  close(): void {
    try {
      rmdirSync(this.#folder);
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }
}

/**
 * Moves a process that waits for its start into its own cgroup. Null if the kernel does not limit memory: the service then enforces the
 * limit.
 */
export function limitByKernel({ memoryLimit, log }: Limiting, pid: number, memoryBytes: number): SandboxCgroup | null {
  if (memoryLimit.by === 'service') return null;
  let group: SandboxCgroup | null = null;
  try {
    group = SandboxCgroup.open(memoryLimit.folder, `${servicePid}-${pid}`, memoryBytes);
    group.join(pid);
    return group;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    log.warn({ err: error }, 'a sandbox has no cgroup; its memory is measured instead');
    group?.close();
    return null;
  }
}
