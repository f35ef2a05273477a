import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';

/** How often to check whether this thread is idle: it was busy for less than this share of the time since the last check. */
const lookMs = 1000;
const idleShare = 0.1;

/** Collecting all takes 50 to 150 ms, so there must be something to gain. */
const worthBytes = 8 * 1024 * 1024;

/** Access to this thread's heap. */
export interface HeapProbe {
  /** The part of the time since the last call in which the thread has worked. */
  takeBusyShare(): number;
  heapBytes(): number;
  collect(): void;
}

/** Null where the process was started without `--expose-gc`. */
function openProbe(): HeapProbe | null {
  const { gc } = globalThis;
  if (!gc) return null;
  let last = performance.eventLoopUtilization();
  return {
    takeBusyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapBytes: () => getHeapStatistics().total_heap_size,
    // The only flavor after which V8 gives pages back.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/**
 * Gives memory back when this thread comes to rest: V8 keeps the pages of its garbage for work to come, some 40 MB after
 * thousands of tasks, and never looks at them again while nothing happens. Does nothing without `--expose-gc`.
 */
export function returnMemoryWhenIdle(clock: Clock, probe = openProbe()): void {
  if (!probe) return;
  let keptBytes = 0;
  const look = () => {
    const isIdle = probe.takeBusyShare() < idleShare;
    if (isIdle && probe.heapBytes() > keptBytes + worthBytes) {
      probe.collect();
      keptBytes = probe.heapBytes();
    }
    clock.setTimer(look, lookMs);
  };
  clock.setTimer(look, lookMs);
}
