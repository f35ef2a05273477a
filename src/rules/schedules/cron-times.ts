import type { Cron } from './cron.ts';
import { furthestWallTime, momentOf } from './time-zone.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The longest wait is for 29 February, over a year without one. */
const mostDays = 8 * 366 + 1;

function dateOf(dayStart: number): [month: number, day: number, weekday: number] {
  const date = new Date(dayStart);
  return [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
}

/** The times of a day that match, as minutes since its beginning, in one direction, within the bound. */
function findMinute({ hours, minutes }: Cron, bound: number, isForward: boolean): number | null {
  const [hour, minute] = [Math.floor(bound / 60), bound % 60];
  const lastHour = hours.at(-1) ?? 0;
  const lastMinute = minutes.at(-1) ?? 0;
  if (isForward) {
    const within = hours.includes(hour) ? minutes.find((candidate) => candidate >= minute) : undefined;
    if (within !== undefined) return hour * 60 + within;
    const next = hours.find((candidate) => candidate > hour);
    return next === undefined ? null : next * 60 + (minutes[0] ?? 0);
  }
  if (bound >= lastHour * 60 + lastMinute) return lastHour * 60 + lastMinute;
  const within = hours.includes(hour) ? minutes.findLast((candidate) => candidate <= minute) : undefined;
  if (within !== undefined) return hour * 60 + within;
  const previous = hours.findLast((candidate) => candidate < hour);
  return previous === undefined ? null : previous * 60 + lastMinute;
}

/** The nearest wall time that matches, at or after `fromMs`, or at or before it; null if there is none for years. */
function findWallTime(cron: Cron, fromMs: number, isForward: boolean): number | null {
  let dayStart = Math.floor(fromMs / dayMs) * dayMs;
  const rest = (fromMs - dayStart) / minuteMs;
  let bound = isForward ? Math.ceil(rest) : Math.floor(rest);
  for (let days = 0; days < mostDays; days += 1) {
    if (cron.matchesDay(...dateOf(dayStart))) {
      const found = findMinute(cron, bound, isForward);
      if (found !== null) return dayStart + found * minuteMs;
    }
    dayStart += isForward ? dayMs : -dayMs;
    bound = isForward ? 0 : 24 * 60 - 1;
  }
  return null;
}

/**
 * The first moment after this one at which a cron fires in a zone; null if there is none. Clocks that are set back repeat nothing: only
 * times later than any shown so far fire. Of times that are skipped when clocks are set forward, those that match fire together, once,
 * when the gap ends (docs/internals/decisions/0037-the-clock-of-a-schedule-only-runs-forward.md).
 */
export function nextCronTime(cron: Cron, zone: string, afterMs: number): number | null {
  const found = findWallTime(cron, furthestWallTime(zone, afterMs) + 1, true);
  return found === null ? null : momentOf(zone, found);
}

/** Moments up to this one at which a cron fires, newest first, without end. */
export function* cronTimesBefore(cron: Cron, zone: string, untilMs: number): Generator<number> {
  let wall = findWallTime(cron, furthestWallTime(zone, untilMs), false);
  let last = Number.POSITIVE_INFINITY;
  while (wall !== null) {
    const moment = momentOf(zone, wall);
    // Those of one gap are one.
    if (moment < last) yield moment;
    last = moment;
    wall = findWallTime(cron, wall - 1, false);
  }
}
