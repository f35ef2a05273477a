import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronTimesBefore, nextCronTime } from './cron-times.ts';
import { type Cron, readCron } from './cron.ts';
import { readTimeZone, wallTimeAt } from './time-zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function listNext(text: string, zone: string, after: string, count: number): string[] {
  const cron = readCron(text);
  const times: string[] = [];
  let at = Date.parse(after);
  while (times.length < count) {
    const next = nextCronTime(cron, zone, at);
    if (next === null) break;
    times.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    at = next;
  }
  return times;
}

function matches({ minutes, hours, matchesDay }: Cron, wallMs: number): boolean {
  const date = new Date(wallMs);
  const isDay = matchesDay(date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay());
  return isDay && hours.includes(date.getUTCHours()) && minutes.includes(date.getUTCMinutes());
}

/** What clocks show, minute by minute. No offset changes twice within a quarter of an hour. */
function* clockOf(zone: string, fromMs: number, toMs: number): Generator<[at: number, wall: number]> {
  for (let start = fromMs; start <= toMs; start += 15 * minuteMs) {
    const first = wallTimeAt(zone, start);
    const isSteady = wallTimeAt(zone, start + 15 * minuteMs) === first + 15 * minuteMs;
    for (let at = start; at < start + 15 * minuteMs && at <= toMs; at += minuteMs)
      yield [at, isSteady ? first + at - start : wallTimeAt(zone, at)];
  }
}

/** The rule itself, minute by minute: a clock that only ever runs forward, and fires for each minute that it reaches or leaps over. */
function listByMinutes(cron: Cron, zone: string, fromMs: number, toMs: number): number[] {
  const fired: number[] = [];
  let furthest = Number.NEGATIVE_INFINITY;
  for (const [at, wall] of clockOf(zone, fromMs - 1.5 * dayMs, toMs)) {
    let isFiring = false;
    if (furthest !== Number.NEGATIVE_INFINITY)
      for (let minute = furthest + minuteMs; minute <= wall; minute += minuteMs) isFiring ||= matches(cron, minute);
    furthest = Math.max(furthest, wall);
    if (isFiring && at > fromMs) fired.push(at);
  }
  return fired;
}

const part = (lowest: number, highest: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.integer({ min: lowest, max: highest }).map(String),
    fc.integer({ min: 1, max: 40 }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min: lowest, max: highest }), fc.integer({ min: lowest, max: highest }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.array(fc.integer({ min: lowest, max: highest }), { minLength: 1, maxLength: 4 }).map((values) => values.join(',')),
  );
const often = (arbitrary: fc.Arbitrary<string>) => fc.oneof({ weight: 5, arbitrary: fc.constant('*') }, arbitrary);
const cronText = fc
  .tuple(part(0, 59), part(0, 23), often(part(1, 28)), often(part(1, 12)), often(part(0, 7)))
  .map((texts) => texts.join(' '));
const zones = Intl.supportedValuesOf('timeZone');

function offsetAt(zone: string, at: number): number {
  return wallTimeAt(zone, at) - at;
}

const weeks = Array.from({ length: 104 }, (_, week) => Date.UTC(2026, 0, 1) + 7 * week * dayMs);

/** One zone of each group whose clocks show the same through this year and the next. */
function listDistinct(): string[] {
  const offsets = zones.map((zone) => [weeks.map((week) => offsetAt(zone, week)).join(), zone] as const);
  return [...new Map(offsets).values()];
}

/** Hours of this year and the next in which the zone changes its offset. */
function changesOf(zone: string): number[] {
  const narrow = (starts: readonly number[], step: number, count: number) =>
    starts
      .flatMap((start) => Array.from({ length: count }, (_, index) => start + index * step))
      .filter((at) => offsetAt(zone, at) !== offsetAt(zone, at + step));
  return narrow(narrow(weeks, 7 * dayMs, 1), hourMs, 7 * 24);
}

describe('a cron', () => {
  it('fires at the times that its fields name', () => {
    expect(listNext('*/15 9-10 * * *', 'UTC', '2026-03-01T09:40:00Z', 3)).toEqual([
      '2026-03-01T09:45Z',
      '2026-03-01T10:00Z',
      '2026-03-01T10:15Z',
    ]);
    expect(listNext('30 7 * * mon-fri', 'Europe/Berlin', '2026-11-20T12:00:00Z', 2)).toEqual([
      '2026-11-23T06:30Z',
      '2026-11-24T06:30Z',
    ]);
    expect(listNext('0 0 1 JAN,Jul *', 'UTC', '2026-02-01T00:00:00Z', 2)).toEqual(['2026-07-01T00:00Z', '2027-01-01T00:00Z']);
    expect(listNext('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T00:00Z']);
    expect(listNext('5/20 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-01T00:05Z',
      '2026-01-01T00:25Z',
      '2026-01-01T00:45Z',
    ]);
  });

  it('counts Sunday as 0 and as 7', () => {
    for (const sunday of ['0', '7', 'sun', 'Sun']) {
      expect(listNext(`0 0 * * ${sunday}`, 'UTC', '2026-11-23T00:00:00Z', 1)).toEqual(['2026-11-29T00:00Z']);
    }
    expect(listNext('0 0 * * sat-sun', 'UTC', '2026-11-23T00:00:00Z', 2)).toEqual(['2026-11-28T00:00Z', '2026-11-29T00:00Z']);
  });

  it('fires on days that match either of both day fields, if both are given', () => {
    expect(listNext('0 0 13 * fri', 'UTC', '2026-02-01T00:00:00Z', 3)).toEqual([
      '2026-02-06T00:00Z',
      '2026-02-13T00:00Z',
      '2026-02-20T00:00Z',
    ]);
  });

  it('fires once at the end of a gap, and not again in an hour that repeats', () => {
    expect(listNext('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
    expect(listNext('*/20 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:00Z',
    ]);
    expect(listNext('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
    expect(listNext('0 * * * *', 'Australia/Lord_Howe', '2026-04-04T13:30:00Z', 3)).toEqual([
      '2026-04-04T14:00Z',
      '2026-04-04T15:30Z',
      '2026-04-04T16:30Z',
    ]);
    // Samoa left out 30 December 2011.
    expect(listNext('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T22:00Z',
      '2011-12-30T10:00Z',
      '2011-12-30T22:00Z',
    ]);
  });

  it.each([
    ['0 0 30 2 *', 'can never fire'],
    ['0 0 31 4,6,9,11 *', 'can never fire'],
    ['* * * *', 'must have five fields'],
    ['0 0 1 1 * 2026', 'must have five fields'],
    ['@daily', 'must have five fields'],
    ['60 * * * *', 'as minute'],
    ['* 24 * * *', 'as hour'],
    ['* * 0 * *', 'as day of the month'],
    ['* * * 13 *', 'as month'],
    ['* * * foo *', 'as month'],
    ['* * * * 8', 'as day of the week'],
    ['*/0 * * * *', 'step'],
    ['5-1 * * * *', 'range'],
    ['1-2-3 * * * *', 'range'],
    ['-1 * * * *', 'as minute'],
    ['1,,2 * * * *', 'as minute'],
    ['', 'must have five fields'],
    ['* '.repeat(200), 'at most'],
  ])('is refused with its field and the reason: %j', (text, reason) => {
    expect(() => readCron(text)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', param: 'cron', message: expect.stringContaining(reason) as string }),
    );
  });

  it('may name days that only some of its months have, or a day of the week beside one that no month has', () => {
    expect(listNext('0 0 30 1,2 *', 'UTC', '2026-02-01T00:00:00Z', 1)).toEqual(['2027-01-30T00:00Z']);
    expect(listNext('0 0 30 2 mon', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-02-02T00:00Z']);
  });
});

describe('a time zone', () => {
  it('that does not exist is refused', () => {
    for (const zone of ['Mars/Olympus', '', 'CEST5', 'Europe/Berlin ', 'x'.repeat(300)])
      expect(() => readTimeZone(zone)).toThrow(expect.objectContaining({ code: 'invalid_argument', param: 'time_zone' }));
    for (const zone of [...zones, 'UTC', 'Asia/Kolkata', 'europe/berlin']) expect(readTimeZone(zone)).toBe(zone);
  });
});

describe('the times of a cron', () => {
  it('are those of a clock that only runs forward, in every zone of this platform, across its changes', {
    timeout: 900_000,
  }, () => {
    const everyZone = listDistinct().map((zone) => ({ zone, changes: changesOf(zone) }));
    for (const { zone, changes } of everyZone) {
      const runs = changes.length > 0 ? 4 : 1;
      fc.assert(
        fc.property(
          cronText,
          fc.nat(Math.max(changes.length - 1, 0)),
          fc.integer({ min: -150, max: 150 }),
          (text, index, shift) => {
            const cron = readCron(text);
            const middle = (changes[index] ?? Date.UTC(2026, 4, 1)) + shift * minuteMs;
            const [from, to] = [middle - 4 * hourMs, middle + 4 * hourMs];
            const expected = listByMinutes(cron, zone, from, to);
            const found: number[] = [];
            for (let at = nextCronTime(cron, zone, from); at !== null && at <= to; at = nextCronTime(cron, zone, at))
              found.push(at);
            expect(found).toEqual(expected);
            const back: number[] = [];
            for (const at of cronTimesBefore(cron, zone, to)) {
              if (at <= from) break;
              back.unshift(at);
            }
            expect(back).toEqual(expected);
          },
        ),
        { numRuns: runs },
      );
    }
  });
});
