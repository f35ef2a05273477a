import type { Server } from 'node:http';
import { systemClock, type Timer } from '@errand/base/clock.ts';

/** More often than Node looks for late requests, which is once a second, so that this comes first. */
const lookMs = 250;
/** Shorter ones make nobody late. */
const shortestStallMs = 250;
const largestAllowanceMs = 60_000;

/**
 * Gives callers the time that this thread took for itself: while it stalls, requests that have arrived lie unread, and would be refused as late
 * the moment it looks up again. The limits return to normal as fast as time passes. It is the machine's own time that counts.
 */
export function allowForStalls(server: Server): void {
  const { headersTimeout, requestTimeout } = server;
  let timer: Timer | null = null;
  let allowanceMs = 0;
  const look = (sinceMs: number) => {
    const nowMs = systemClock.monotonic();
    const passedMs = nowMs - sinceMs;
    const stalledMs = passedMs - lookMs < shortestStallMs ? 0 : passedMs;
    const before = allowanceMs;
    allowanceMs = stalledMs > 0 ? Math.min(largestAllowanceMs, before + stalledMs) : Math.max(0, before - passedMs);
    if (allowanceMs !== before) {
      server.headersTimeout = headersTimeout + allowanceMs;
      server.requestTimeout = requestTimeout + allowanceMs;
    }
    timer = systemClock.setTimer(() => look(nowMs), lookMs);
  };
  server.on('listening', () => {
    timer?.cancel();
    look(systemClock.monotonic());
  });
  server.on('close', () => timer?.cancel());
}
