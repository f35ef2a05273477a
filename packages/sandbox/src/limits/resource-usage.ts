import { fstatSync, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { type DiskUse, measureFolder, measureUnlinked } from './disk-usage.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import { measureMemory, memoryMounts, readSharedMemory } from './memory-usage.ts';

/** The resources of the whole machine, measured once. */
export interface MachineState {
  freeBytes: number;
  freeEntries: number;
  sharedBytes: number;
}

export interface UsageQuestion {
  /** The host pid of the sandbox's first process. */
  pid: number;
  /** The workspace, open. */
  folder: number;
  memoryLimitBytes: number;
  entryLimit: number;
  /** When the sandbox started. */
  first: MachineState | null;
  /** When its files were last counted. */
  counted: MachineState | null;
}

export interface Usage {
  memoryBytes: number;
  machine: MachineState;
  /** Null if nothing can have changed much since they were counted. */
  disk: DiskUse | null;
}

/** While the disk usage has not grown by more than this, by whomever, files need not be recounted. */
const step = { bytes: 32 * 1024 * 1024, entries: 10_000 };

/**
 * The processes of a sandbox, from the /proc mounted in it: complete, and out of reach of everybody inside. None before that is mounted,
 * when the same path still leads to the machine's own, and none after its end.
 */
function listProcesses(pid: number): string[] {
  const proc = `/proc/${pid}/root/proc`;
  try {
    if (readlinkSync(`${proc}/1/ns/pid`) !== readlinkSync(`/proc/${pid}/ns/pid`)) return [];
    return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? `${proc}/${name}` : []));
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return [];
    throw error;
  }
}

function readMachine(folder: number): MachineState {
  const { bavail, bsize, ffree } = statfsSync(`/proc/self/fd/${folder}`);
  return { freeBytes: bavail * bsize, freeEntries: ffree, sharedBytes: readSharedMemory() };
}

function hasShrunk(now: MachineState, counted: MachineState): boolean {
  return counted.freeBytes - now.freeBytes > step.bytes || counted.freeEntries - now.freeEntries > step.entries;
}

/** Measures a sandbox once. It blocks, so run it in a separate thread. */
export function measureUsage({ pid, folder, memoryLimitBytes, entryLimit, first, counted }: UsageQuestion): Usage {
  const processes = listProcesses(pid);
  const machine = readMachine(folder);
  const memoryBytes = measureMemory({
    processes,
    mounts: processes.length > 0 ? memoryMounts.map((mount) => `/proc/${pid}/root${mount}`) : [],
    limitBytes: memoryLimitBytes,
    sharedGrowthBytes: first ? machine.sharedBytes - first.sharedBytes : 0,
  });
  if (counted && !hasShrunk(machine, counted)) return { memoryBytes, machine, disk: null };
  const { bytes, entries } = measureFolder(folder, entryLimit);
  const unlinked = measureUnlinked(processes, fstatSync(folder).dev);
  return { memoryBytes, machine, disk: { bytes: bytes + unlinked, entries } };
}
