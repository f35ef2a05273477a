import type { Server } from 'node:http';
import { systemClock, type Timer } from '@errand/base/clock.ts';

const lookMs = 250;
/** Shorter ones make nobody late. */
const shortestStallMs = 250;
const largestAllowanceMs = 60_000;

/** The time from one look at the clock to the next if the thread stalled between them, else 0. */
function stallOf(passedMs: number): number {
  return passedMs - lookMs < shortestStallMs ? 0 : passedMs;
}

/**
 * Gives callers the time that this thread took for itself: while it stalls, requests that have arrived lie unread, and would be refused as late
 * the moment it looks up again. The limits return to normal as fast as time passes. It is the machine's own time that counts.
 */
export function allowForStalls(server: Server): void {
  let timer: Timer | null = null;
  let allowanceMs = 0;
  let lookedMs = systemClock.monotonic();
  const look = () => {
    const passedMs = systemClock.monotonic() - lookedMs;
    const stalledMs = stallOf(passedMs);
    allowanceMs = stalledMs > 0 ? Math.min(largestAllowanceMs, allowanceMs + stalledMs) : Math.max(0, allowanceMs - passedMs);
    lookedMs += passedMs;
    timer = systemClock.setTimer(look, lookMs);
  };
  // Node reads them whenever it looks for late requests, which after a stall can be before the look above.
  for (const name of ['headersTimeout', 'requestTimeout'] as const) {
    const usual = server[name];
    const get = () => (timer === null ? usual : usual + allowanceMs + stallOf(systemClock.monotonic() - lookedMs));
    Object.defineProperty(server, name, { get, configurable: true, enumerable: true });
  }
  server.on('listening', () => {
    timer?.cancel();
    allowanceMs = 0;
    lookedMs = systemClock.monotonic();
    look();
  });
  server.on('close', () => {
    timer?.cancel();
    timer = null;
  });
}
