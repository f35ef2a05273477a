import { invalidField } from '@errand/base/fault.ts';

const hourMs = 3_600_000;
/** Longer than any clock is set forward or back at once, and longer than the offset of any zone. */
const reachMs = 26 * hourMs;
/** Names are accepted in any case, so that there are more than zones. */
const mostFormatters = 1000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one is a thousand times as expensive as using it. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  if (formatters.size >= mostFormatters) formatters.clear();
  const formatter = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formatters.set(zone, formatter);
  return formatter;
}

/** A zone by its name; 400 for one that does not exist. */
export function readTimeZone(zone: string): string {
  try {
    if (zone.length <= 64 && formatterOf(zone)) return zone;
  } catch {
    // It is unknown.
  }
  throw invalidField('time_zone', 'must be the name of a time zone, such as "UTC" or "Europe/Berlin"');
}

/**
 * What clocks of the zone show at this moment, as the milliseconds at which a clock of UTC shows the same. All arithmetic with days and
 * hours is on such numbers, in which every day has 24 hours.
 */
export function wallTimeAt(zone: string, atMs: number): number {
  const parts = formatterOf(zone).format(atMs).match(/\d+/g) ?? [];
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const withinSecond = ((atMs % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + withinSecond;
}

function offsetAt(zone: string, atMs: number): number {
  return wallTimeAt(zone, atMs) - atMs;
}

/** The first moment after `fromMs` at which the zone has another offset than at `fromMs`, if the offset at `toMs` differs. */
function findChange(zone: string, fromMs: number, toMs: number): number {
  const before = offsetAt(zone, fromMs);
  let [low, high] = [fromMs, toMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The latest time that clocks of the zone have shown up to this moment: later than now while an hour that was set back repeats. */
export function furthestWallTime(zone: string, atMs: number): number {
  const shown = wallTimeAt(zone, atMs);
  const earlier = offsetAt(zone, atMs - reachMs);
  if (earlier <= shown - atMs) return shown;
  return Math.max(shown, findChange(zone, atMs - reachMs, atMs) + earlier - 1);
}

/**
 * The first moment at which clocks of the zone show this time or a later one. A time that exists twice is the first of the two; one that
 * is skipped is the end of the gap.
 */
export function momentOf(zone: string, wallMs: number): number {
  const [from, to] = [wallMs - reachMs, wallMs + reachMs];
  const [before, after] = [offsetAt(zone, from), offsetAt(zone, to)];
  if (before === after) return wallMs - before;
  const change = findChange(zone, from, to);
  if (wallMs < change + before) return wallMs - before;
  return Math.max(change, wallMs - after);
}
