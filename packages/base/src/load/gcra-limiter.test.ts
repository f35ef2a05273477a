import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GcraLimiter, checkPace, type Pace } from './gcra-limiter.ts';

/** The times of the attempts that are admitted. */
function admit(pace: Pace, times: readonly number[]): number[] {
  let busyUntilMs = 0;
  return times.filter((now) => {
    const verdict = checkPace(pace, busyUntilMs, now);
    if ('waitS' in verdict) return false;
    ({ busyUntilMs } = verdict);
    return true;
  });
}

it('a pace admits its full count at once, then one at a time', () => {
  const pace = { count: 3, windowMs: 30_000 };
  expect(admit(pace, [0, 0, 0, 0, 9_000, 10_000, 10_000, 40_000])).toEqual([0, 0, 0, 10_000, 40_000]);
  expect(checkPace(pace, 30_000, 0)).toEqual({ waitS: 10 });
});

it('a pace admits at most twice its count in any window, whenever requests arrive', () => {
  const paces = fc.record({ count: fc.integer({ min: 1, max: 200 }), windowMs: fc.integer({ min: 1000, max: 900_000 }) });
  fc.assert(
    fc.property(paces, fc.array(fc.nat({ max: 50_000 }), { maxLength: 300 }), (pace, gaps) => {
      let now = 1_000_000;
      const through = admit(
        pace,
        gaps.map((gap) => (now += gap)),
      );
      for (const [index, from] of through.entries()) {
        const inside = through.slice(index).filter((at) => at < from + pace.windowMs).length;
        expect(inside).toBeLessThanOrEqual(2 * pace.count + 1);
      }
    }),
  );
});

it('setting the clock back locks nobody out for longer than the window', () => {
  const pace = { count: 10, windowMs: 60_000 };
  expect(checkPace(pace, 10_000_000, 0)).toEqual({ waitS: 6 });
});

it('a limiter admits its full count at once, then one at a time, for each key', () => {
  let now = 0;
  const clock = { now: () => 0, monotonic: () => now, setTimer: () => ({ cancel: () => undefined }) };
  const pace = new GcraLimiter(clock, { count: 3, windowMs: 30_000 });
  expect([1, 2, 3, 4].map(() => pace.take('a'))).toEqual([0, 0, 0, 10]);
  expect(pace.take('b')).toBe(0);
  now = 10_000;
  expect([pace.take('a'), pace.take('a')]).toEqual([0, 10]);
  pace.clear('a');
  expect(pace.take('a')).toBe(0);
});

it('a limiter counts all that belongs together, or nothing of it', () => {
  let now = 0;
  const clock = { now: () => 0, monotonic: () => now, setTimer: () => ({ cancel: () => undefined }) };
  const pace = new GcraLimiter(clock, { count: 10, windowMs: 100_000 });
  expect([pace.take('a', 7), pace.take('a', 7), pace.take('a', 3)]).toEqual([0, 40, 0]);
  now = 70_000;
  expect([pace.take('a', 7), pace.take('a')]).toEqual([0, 10]);
});
