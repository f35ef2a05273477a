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

/** The cgroup of one sandbox: the kernel ends all its processes at once when they need more memory than they may have. */
export class SandboxCgroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** An empty cgroup in a delegated one. Throws the system's error if there cannot be one. */
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

  /** Moves a process here, and with it what it starts from now on. */
  join(pid: number): void {
    this.#write('cgroup.procs', String(pid));
  }

  /** Whether the kernel has ended a process because of the limit. */
  hasExceededMemory(): boolean {
    try {
      return /^oom_kill [1-9]/m.test(readFileSync(join(this.#folder, 'memory.events'), 'utf8'));
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      return false;
    }
  }

  /** Its processes have to be gone; the system removes what remains with the service's own cgroup. */
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
 * Puts a process that waits for its start into a cgroup of its own. Null where the kernel limits no memory, or refuses to: then what the
 * service measures is the limit.
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
