import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';

/** How often to check whether this thread is idle: it was busy for less than this share of the time since the last check. */
const checkIntervalMs = 1000;
const idleShare = 0.1;

/** A full collection takes 50 to 150 ms, so it must be worthwhile. */
const worthBytes = 8 * 1024 * 1024;

/** Access to this thread's heap. */
export interface HeapProbe {
  /** The fraction of time since the last call in which the thread was busy. */
  takeBusyShare(): number;
  heapBytes(): number;
  collect(): void;
}

/** Null if the process was started without `--expose-gc`. */
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
    // The only mode after which V8 releases pages.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

/**
 * Releases memory when this thread becomes idle: otherwise V8 keeps the pages of its garbage, some 40 MB after thousands of tasks, as long
 * as nothing happens. Does nothing without `--expose-gc`.
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
    clock.setTimer(look, checkIntervalMs);
  };
  clock.setTimer(look, checkIntervalMs);
}
