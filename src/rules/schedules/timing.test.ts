import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lateMs, mostCaughtUp, planRuns } from './schedule-policy.ts';
import { listDueTimes, listNextTimes, nextTime, type Timing } from './timing.ts';

const start = Date.UTC(2026, 10, 23, 4);
const usual: Timing = {
  ...{ cron: null, intervalSeconds: null, runAtMs: null, timeZone: 'UTC' },
  ...{ startAtMs: null, endAtMs: null, anchorAtMs: start },
};

describe('the times of a schedule', () => {
  it('are intervals from its start, or from when it was made', () => {
    expect(listNextTimes({ ...usual, intervalSeconds: 60 }, start, 3)).toEqual([
      start + 60_000,
      start + 120_000,
      start + 180_000,
    ]);
    const later = { ...usual, intervalSeconds: 60, startAtMs: start + 5000, anchorAtMs: start + 5000 };
    expect(listNextTimes(later, start, 2)).toEqual([start + 5000, start + 65_000]);
    expect(nextTime(later, start + 5000)).toBe(start + 65_000);
  });

  it('are within its start and its end, both included', () => {
    const hourly = { ...usual, cron: '0 * * * *', startAtMs: start + 3_600_000, endAtMs: start + 2 * 3_600_000 };
    expect(listNextTimes(hourly, start, 10)).toEqual([start + 3_600_000, start + 7_200_000]);
    expect(nextTime({ ...usual, intervalSeconds: 7200, endAtMs: start + 7_199_999 }, start)).toBeNull();
  });

  it('are one for a single time', () => {
    expect(listNextTimes({ ...usual, runAtMs: start + 1 }, start, 10)).toEqual([start + 1]);
    expect(nextTime({ ...usual, runAtMs: start }, start)).toBeNull();
  });

  it('are the same whether they are looked for ahead or afterwards', () => {
    const seconds = fc.integer({ min: 1, max: 5000 });
    const timing = fc.oneof(
      seconds.map((intervalSeconds) => ({ ...usual, intervalSeconds })),
      fc.constantFrom('*/7 * * * *', '0 3 * * *', '30 2 * * sun').map((cron) => ({ ...usual, cron, timeZone: 'Europe/Berlin' })),
      seconds.map((after) => ({ ...usual, runAtMs: start + after * 1000 })),
    );
    fc.assert(
      fc.property(timing, seconds, fc.integer({ min: 1, max: 50 }), (one, span, count) => {
        const from = nextTime(one, start);
        if (from === null) return;
        const until = from + span * 1000;
        // No schedule by cron comes more often than every seven minutes here, and each of its times costs much more.
        const most = one.cron === null ? 5000 : 15;
        const ahead = [from, ...listNextTimes(one, from, most)].filter((at) => at <= until);
        expect(listDueTimes(one, from, until, count)).toEqual(ahead.slice(-count));
      }),
    );
  });

  it('of the past are found at the same cost however many there are', () => {
    const everyMinute = { ...usual, cron: '* * * * *' };
    expect(listDueTimes(everyMinute, start, start + 50 * 365 * 86_400_000, 200)).toHaveLength(200);
    expect(listDueTimes({ ...usual, intervalSeconds: 1 }, start, start + 50 * 365 * 86_400_000, 200)).toHaveLength(200);
  });
});

describe('catching up', () => {
  const times = Array.from({ length: 150 }, (_, index) => start + index * 60_000);
  const now = start + 149 * 60_000 + lateMs + 1;
  const count = (policy: 'none' | 'last' | 'all') => planRuns(times, now, policy).filter(({ isMissed }) => !isMissed).length;

  it('starts none, the last, or all up to a bound', () => {
    expect([count('none'), count('last'), count('all')]).toEqual([0, 1, mostCaughtUp]);
    expect(planRuns(times, now, 'last').at(-1)).toEqual({ dueAtMs: times.at(-1), isMissed: false });
  });

  it('leaves alone what is hardly late', () => {
    expect(planRuns([start], start + lateMs, 'none')).toEqual([{ dueAtMs: start, isMissed: false }]);
    expect(planRuns([start - 60_000, start], start, 'last').map(({ isMissed }) => isMissed)).toEqual([true, false]);
  });
});
