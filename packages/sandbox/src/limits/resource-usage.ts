import { fstatSync, statfsSync } from 'node:fs';
import { type DiskUse, measureFolder, measureUnlinked } from './disk-usage.ts';
import { listProcesses } from './process-list.ts';
import { measureMemory, memoryMounts, readSharedMemory } from './memory-usage.ts';
import { type PriorityQuestion, readCpuMs, setPriorities } from './cpu-priority.ts';

export interface MemoryQuestion {
  kind: 'memory';
  /** The host pid of the sandbox's first process. */
  pid: number;
  limitBytes: number;
  /** Shared memory of the whole machine when the sandbox started; null in the first request. */
  firstSharedBytes: number | null;
}

export interface MemoryUse {
  bytes: number;
  /** Shared memory in use on the whole machine, in bytes. */
  sharedBytes: number;
  /** Processor time used so far. */
  cpuMs: number;
}

/** The free space on the disk of a workspace, whatever uses it. */
export interface DiskSpace {
  freeBytes: number;
  freeEntries: number;
}

export interface FilesQuestion {
  kind: 'files';
  pid: number;
  /** The workspace, open. */
  folder: number;
  entryLimit: number;
  /** When its files were last counted. */
  counted: DiskSpace | null;
}

export interface FilesUse {
  space: DiskSpace;
  /** Null if nothing can have changed much since they were counted. */
  disk: DiskUse | null;
}

export type UsageQuestion = MemoryQuestion | FilesQuestion | PriorityQuestion;
export type Usage = MemoryUse | FilesUse | null;

/** Files are recounted only if the usage of the whole disk grows by more than this. */
const step = { bytes: 32 * 1024 * 1024, entries: 10_000 };

function hasShrunk(now: DiskSpace, counted: DiskSpace): boolean {
  return counted.freeBytes - now.freeBytes > step.bytes || counted.freeEntries - now.freeEntries > step.entries;
}

function* useMemory({ pid, limitBytes, firstSharedBytes }: MemoryQuestion): Generator<void, MemoryUse> {
  const processes = listProcesses(pid);
  const sharedBytes = readSharedMemory();
  const bytes = yield* measureMemory({
    processes,
    mounts: processes.length > 0 ? memoryMounts.map((mount) => `/proc/${pid}/root${mount}`) : [],
    network: processes.length > 0 ? `/proc/${pid}/net` : null,
    limitBytes,
    sharedGrowthBytes: firstSharedBytes === null ? 0 : sharedBytes - firstSharedBytes,
  });
  return { bytes, sharedBytes, cpuMs: yield* readCpuMs(processes) };
}

function* useFiles({ pid, folder, entryLimit, counted }: FilesQuestion): Generator<void, FilesUse> {
  const { bavail, bsize, ffree } = statfsSync(`/proc/self/fd/${folder}`);
  const space = { freeBytes: bavail * bsize, freeEntries: ffree };
  if (counted && !hasShrunk(space, counted)) return { space, disk: null };
  const { bytes, entries } = yield* measureFolder(folder, entryLimit);
  const unlinked = yield* measureUnlinked(listProcesses(pid), fstatSync(folder).dev);
  return { space, disk: { bytes: bytes + unlinked, entries } };
}

/** Measures a sandbox once, or sets its priority, in steps of at most a few milliseconds. They block, so run them in a separate thread. */
export function measureUsage(question: UsageQuestion): Generator<void, Usage> {
  if (question.kind === 'priority') return setPriorities(question);
  return question.kind === 'memory' ? useMemory(question) : useFiles(question);
}
