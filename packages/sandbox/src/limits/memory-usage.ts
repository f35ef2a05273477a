import { statfsSync } from 'node:fs';
import { readText } from './kernel-text.ts';
import { measurePipes } from './pipe-memory.ts';
import { measureSockets } from './socket-memory.ts';

/** In-memory folders, which end with the command. */
export const memoryMounts = ['/tmp', '/dev/shm'];

/** The sum of the given fields in lines such as `Name:   123 kB`. */
function sumFields(text: string, names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
    return sum + Number(match?.[1] ?? 0) * 1024;
  }, 0);
}

/** Shared memory of the whole machine. */
export function readSharedMemory(): number {
  return sumFields(readText('/proc/meminfo'), ['Shmem']);
}

interface Use {
  /** Private memory, including page tables. */
  own: number;
  shared: number;
}

/** Measures resident pages, which is fast but counts shared pages for each process. */
function readResident(process: string): Use {
  const status = readText(`${process}/status`);
  return { own: sumFields(status, ['RssAnon', 'VmPTE']), shared: sumFields(status, ['RssShmem']) };
}

/** Measures the proportional share, which is exact but makes the kernel visit every page. */
function readProportional(process: string): Use {
  const rollup = readText(`${process}/smaps_rollup`);
  if (rollup === '') return readResident(process);
  const tables = sumFields(readText(`${process}/status`), ['VmPTE']);
  return { own: sumFields(rollup, ['Pss_Anon']) + tables, shared: sumFields(rollup, ['Pss_Shmem']) };
}

function* add(processes: readonly string[], read: (process: string) => Use): Generator<void, Use> {
  const sum: Use = { own: 0, shared: 0 };
  for (const process of processes) {
    yield;
    const { own, shared } = read(process);
    sum.own += own;
    sum.shared += shared;
  }
  return sum;
}

const sharedMapping = /^([0-9a-f]+)-([0-9a-f]+) ..{2}s \S+ \S+ (\d+) +\/dev\/zero \(deleted\)$/gm;

/** The size of shared anonymous mappings, which may be in use without being resident in any process. */
function* readSharedMappings(processes: readonly string[]): Generator<void, number> {
  const sizes = new Map<string, number>();
  for (const process of processes) {
    yield;
    for (const [, from = '', to = '', inode = ''] of readText(`${process}/maps`).matchAll(sharedMapping)) {
      sizes.set(inode, (sizes.get(inode) ?? 0) + Number.parseInt(to, 16) - Number.parseInt(from, 16));
    }
  }
  return sizes.values().reduce((sum, size) => sum + size, 0);
}

/** The approximate kernel overhead of a file besides its content. */
const fileOverheadBytes = 1536;

/** The memory used by an in-memory file system; 0 if it is gone. */
function readMemoryFiles(mount: string): number {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(mount);
    return (blocks - bfree) * bsize + (files - ffree) * fileOverheadBytes;
  } catch {
    return 0;
  }
}

export interface MemorySources {
  /** Folders of the processes in a /proc. */
  processes: readonly string[];
  /** Mount points of in-memory file systems. */
  mounts: readonly string[];
  /** The network folder of one of them in /proc; null if there is no process. */
  network: string | null;
  /** Above this, a second, exact measurement is worth its cost. */
  limitBytes: number;
  /** Growth of the machine's shared memory since the processes started. */
  sharedGrowthBytes: number;
}

/** Growth that is not investigated. */
const unremarkableBytes = 64 * 1024 * 1024;

/** The memory that processes, their in-memory files, sockets, and pipes use together; in steps. */
export function* measureMemory({
  processes,
  mounts,
  network,
  limitBytes,
  sharedGrowthBytes,
}: MemorySources): Generator<void, number> {
  const quick = yield* add(processes, readResident);
  const use = quick.own + quick.shared > limitBytes ? yield* add(processes, readProportional) : quick;
  const files = mounts.reduce((sum, mount) => sum + readMemoryFiles(mount), 0);
  const mapped = sharedGrowthBytes > unremarkableBytes ? Math.min(yield* readSharedMappings(processes), sharedGrowthBytes) : 0;
  // Resident shared pages belong to a file or a mapping, and must not count twice.
  const sockets = network === null ? 0 : measureSockets(network);
  const pipes = yield* measurePipes(processes, limitBytes);
  return use.own + Math.max(use.shared, files + mapped) + sockets + pipes;
}
