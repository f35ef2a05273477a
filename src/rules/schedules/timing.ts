import { cronTimesBefore, nextCronTime } from './cron-times.ts';
import { readCron } from './cron.ts';

/** When a schedule runs: by a cron, at intervals, or once. Exactly one of the three is not null. */
export interface Timing {
  cron: string | null;
  intervalSeconds: number | null;
  runAtMs: number | null;
  timeZone: string;
  /** Start of the schedule: nothing runs before it. */
  startAtMs: number | null;
  /** End of the schedule: nothing runs after it. */
  endAtMs: number | null;
  /** The time from which intervals count: the start, or without one the time at which they were set. */
  anchorAtMs: number;
}

function nextInterval(intervalMs: number, anchorAtMs: number, afterMs: number): number {
  const steps = Math.floor((afterMs - anchorAtMs) / intervalMs) + 1;
  return anchorAtMs + Math.max(0, steps) * intervalMs;
}

/** The first time after this moment, null if there is none. */
export function nextTime(timing: Timing, afterMs: number): number | null {
  const { cron, intervalSeconds, runAtMs, timeZone, startAtMs, endAtMs, anchorAtMs } = timing;
  const after = startAtMs === null ? afterMs : Math.max(afterMs, startAtMs - 1);
  let next: number | null;
  if (cron !== null) next = nextCronTime(readCron(cron), timeZone, after);
  else if (intervalSeconds !== null) next = nextInterval(intervalSeconds * 1000, anchorAtMs, after);
  else next = runAtMs !== null && runAtMs > after ? runAtMs : null;
  return next !== null && endAtMs !== null && next > endAtMs ? null : next;
}

/** The next times after this moment, at most `count`. */
export function listNextTimes(timing: Timing, afterMs: number, count: number): number[] {
  const times: number[] = [];
  for (let at = nextTime(timing, afterMs); at !== null && times.length < count; at = nextTime(timing, at)) times.push(at);
  return times;
}

function* intervalsBefore(intervalMs: number, anchorAtMs: number, untilMs: number): Generator<number> {
  const last = anchorAtMs + Math.floor((untilMs - anchorAtMs) / intervalMs) * intervalMs;
  for (let at = last; at >= anchorAtMs; at -= intervalMs) yield at;
}

function timesBefore(timing: Timing, untilMs: number): Iterable<number> {
  const { cron, intervalSeconds, runAtMs, timeZone, anchorAtMs } = timing;
  if (cron !== null) return cronTimesBefore(readCron(cron), timeZone, untilMs);
  if (intervalSeconds !== null) return intervalsBefore(intervalSeconds * 1000, anchorAtMs, untilMs);
  return runAtMs === null ? [] : [runAtMs];
}

/** The newest times from one moment to another, both included, oldest first. The cost does not depend on how many there are. */
export function listDueTimes(timing: Timing, fromMs: number, untilMs: number, count: number): number[] {
  const until = timing.endAtMs === null ? untilMs : Math.min(untilMs, timing.endAtMs);
  const times: number[] = [];
  for (const at of timesBefore(timing, until)) {
    if (at < fromMs || times.length === count) break;
    if (at <= until) times.unshift(at);
  }
  return times;
}
