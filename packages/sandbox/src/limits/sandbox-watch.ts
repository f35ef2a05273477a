import { type Clock, pause } from '@errand/base/clock.ts';
import type { SandboxEnd, SandboxLimits } from '../sandbox.ts';
import type { UsageMeter } from './resource-meter.ts';
import type { MachineState, Usage } from './resource-usage.ts';

export const watchPeriodMs = 250;
/** After this many checks, files are counted even if the disk seems unchanged: a neighbor may have freed what this one took. */
const countPeriod = 20;
/** Disk space reserved for the machine; if less is left, running commands are ended. */
const reservedBytes = 128 * 1024 * 1024;

/** How far a workspace may exceed its limit and still be usable, so that an agent can clean it up. */
const tolerance = 2;

export interface Watched {
  pid: number;
  folder: number;
  limits: SandboxLimits;
}

/**
 * Checks usage against the limits. A workspace already over its limit may shrink but not grow, up to the point where it must have been
 * filled on purpose.
 */
export function createJudge({ memoryBytes, workspaceBytes, workspaceEntries }: SandboxLimits) {
  let allowed: { bytes: number; entries: number } | null = null;

  return function judge({ memoryBytes: used, machine, disk }: Usage): SandboxEnd | null {
    if (used > memoryBytes) return 'memory';
    if (machine.freeBytes < reservedBytes) return 'disk';
    if (!disk) return null;
    allowed ??= {
      bytes: Math.min(Math.max(disk.bytes, workspaceBytes), tolerance * workspaceBytes),
      entries: Math.min(Math.max(disk.entries, workspaceEntries), tolerance * workspaceEntries),
    };
    return disk.bytes > allowed.bytes || disk.entries > allowed.entries ? 'disk' : null;
  };
}

/** Watches a sandbox until `signal` aborts; calls `end` if it exceeds a limit. Settles when the last measurement is done. */
export async function watchSandbox(
  { clock, meter }: { clock: Clock; meter: UsageMeter },
  { pid, folder, limits }: Watched,
  signal: AbortSignal,
  end: (reason: SandboxEnd) => void,
): Promise<void> {
  const judge = createJudge(limits);
  let first: MachineState | null = null;
  let counted: MachineState | null = null;
  for (let look = 1; !signal.aborted; look++) {
    const usage: Usage = await meter.measure({
      pid,
      folder,
      memoryLimitBytes: limits.memoryBytes,
      entryLimit: tolerance * limits.workspaceEntries,
      first,
      counted: look % countPeriod === 0 ? null : counted,
    });
    first ??= usage.machine;
    if (usage.disk) counted = usage.machine;
    const reason = judge(usage);
    if (reason) end(reason);
    await pause(clock, watchPeriodMs, signal);
  }
}
