import { availableParallelism } from 'node:os';
import { type Clock, pause } from '@errand/base/clock.ts';
import { memoryFolderLimits, type SandboxEnd, type SandboxLimits } from '../sandbox.ts';
import type { WorkspaceQuota } from '../workspace/workspace.ts';
import { CpuAllowance } from './cpu-allowance.ts';
import type { UsageMeter } from './resource-meter.ts';
import type { DiskSpace, FilesUse, MemoryUse } from './resource-usage.ts';

/** The longest time between two checks. */
export const watchPeriodMs = 250;
const shortestPauseMs = 20;
/** How fast programs can fill memory, at most. */
const growthBytesPerMs = 2 * 1024 * 1024 * Math.min(availableParallelism(), 4);
/** Files are counted after this many checks even if the disk seems unchanged: a neighbor may have freed what this sandbox took. */
const countPeriod = 20;
/** How often the priority of new processes in a busy sandbox is set. */
const yieldPeriodMs = 1000;
/** Disk space reserved for the machine; if less is left, running commands are ended. */
const reservedBytes = 128 * 1024 * 1024;

/** How far a workspace may exceed its limit and still be usable, so that an agent can clean it up. */
const tolerance = 2;

export interface Watched {
  pid: number;
  folder: number;
  /** The folder of its memory, open. */
  memory?: number | undefined;
  limits: SandboxLimits;
  quota?: WorkspaceQuota | undefined;
  /** How many of the first children of its first process are the service's own (see `PriorityQuestion`). */
  kept: number;
}

interface Watching {
  clock: Clock;
  meter: UsageMeter;
}

/**
 * Checks disk usage against the limits. A workspace already over its limit may shrink but not grow, up to the point where it must have been
 * filled on purpose.
 */
export function createLimitCheck({ workspaceBytes, workspaceEntries }: SandboxLimits) {
  let allowed: { bytes: number; entries: number } | null = null;

  return function check({ space, disk }: FilesUse): SandboxEnd | null {
    if (space.freeBytes < reservedBytes) return 'disk';
    if (!disk) return null;
    allowed ??= {
      bytes: Math.min(Math.max(disk.bytes, workspaceBytes), tolerance * workspaceBytes),
      entries: Math.min(Math.max(disk.entries, workspaceEntries), tolerance * workspaceEntries),
    };
    return disk.bytes > allowed.bytes || disk.entries > allowed.entries ? 'disk' : null;
  };
}

/** The pause before memory is measured again: the less is left, the shorter. */
export function pauseAfterMemory(usedBytes: number, limitBytes: number): number {
  const untilFullMs = (limitBytes - usedBytes) / growthBytesPerMs;
  return Math.min(Math.max(untilFullMs, shortestPauseMs), watchPeriodMs);
}

type Ending = (reason: SandboxEnd) => void;

/** Gives a sandbox the priority that its processor use deserves: at once if that changes, and later for processes started since. */
function createYielding({ clock, meter }: Watching, { pid, kept }: Watched) {
  const allowance = new CpuAllowance(clock.monotonic());
  let isLow = false;
  let setAt = 0;

  return async function yieldProcessors(cpuMs: number): Promise<void> {
    const now = clock.monotonic();
    const isExceeded = allowance.isExceeded(cpuMs, now);
    if (!isExceeded && !isLow) return;
    if (isExceeded === isLow && now - setAt < yieldPeriodMs) return;
    isLow = isExceeded;
    setAt = now;
    await meter.measure({ kind: 'priority', pid, kept, isLow });
  };
}

async function watchMemory(watching: Watching, watched: Watched, signal: AbortSignal, end: Ending) {
  const { clock, meter } = watching;
  const { pid, limits } = watched;
  const limitBytes = limits.memoryBytes;
  const yieldProcessors = createYielding(watching, watched);
  let firstSharedBytes: number | null = null;
  while (!signal.aborted) {
    const { bytes, sharedBytes, cpuMs }: MemoryUse = await meter.measure({ kind: 'memory', pid, limitBytes, firstSharedBytes });
    firstSharedBytes ??= sharedBytes;
    if (bytes > limitBytes) end('memory');
    await yieldProcessors(cpuMs);
    await pause(clock, pauseAfterMemory(bytes, limitBytes), signal);
  }
}

async function watchFiles({ clock, meter }: Watching, watched: Watched, signal: AbortSignal, end: Ending) {
  const { pid, folder, limits, quota } = watched;
  const check = createLimitCheck(limits);
  const entryLimit = tolerance * limits.workspaceEntries;
  let last: DiskSpace | null = null;
  for (let look = 1; !signal.aborted; look++) {
    const counted = look % countPeriod === 0 ? null : last;
    const use: FilesUse = await meter.measure({ kind: 'files', pid, folder, entryLimit, counted });
    if (use.disk) last = use.space;
    const reason = check(use) ?? (use.disk && quota?.allows(use.disk) === false ? 'disk' : null);
    if (reason) end(reason);
    await pause(clock, watchPeriodMs, signal);
  }
}

/** Begins late, because most commands have ended by then. */
async function watchMemoryFolder({ clock, meter }: Watching, { memory: folder }: Watched, signal: AbortSignal, end: Ending) {
  if (folder === undefined) return;
  const { bytes, entries } = memoryFolderLimits;
  for (;;) {
    await pause(clock, watchPeriodMs, signal);
    if (signal.aborted) return;
    // Files that are open though deleted count with the workspace.
    const { disk }: FilesUse = await meter.measure({ kind: 'files', pid: 0, folder, entryLimit: entries, counted: null });
    if (disk && (disk.bytes > bytes || disk.entries > entries)) end('disk');
  }
}

/** Measures the workspace of a command that has ended, for its quota; false if it is too large. */
export async function finishWithinQuota(
  meter: UsageMeter,
  folder: number,
  limits: SandboxLimits,
  quota: WorkspaceQuota,
): Promise<boolean> {
  const entryLimit = tolerance * limits.workspaceEntries;
  // No process is left whose open files could count.
  const { disk } = await meter.measure({ kind: 'files', pid: 0, folder, entryLimit, counted: null });
  const isAllowed = disk === null || quota.allows(disk);
  await quota.finish();
  return isAllowed;
}

/** Watches a sandbox until `signal` aborts; calls `end` if it exceeds a limit. Settles when the last measurement is done. */
export async function watchSandbox(watching: Watching, watched: Watched, signal: AbortSignal, end: Ending): Promise<void> {
  const failed = new AbortController();
  const over = AbortSignal.any([signal, failed.signal]);
  const watches = [watchMemory, watchFiles, watchMemoryFolder].map(async (watch) => {
    try {
      await watch(watching, watched, over, end);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  // Waits for all watches, because they use the workspace's descriptor.
  const [failure] = (await Promise.allSettled(watches)).filter((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}
