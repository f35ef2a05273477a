import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateWindow } from './rate-window.ts';

describe('a rate window', () => {
  it('admits at most the limit in any minute, and exactly the limit to a steady caller', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 70_000 })), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (steps, limit) => {
        const window = new RateWindow();
        const admitted: number[] = [];
        let now = 1_700_000_000_123;
        for (const gap of steps) {
          now += gap;
          const recent = admitted.filter((at) => now - at <= 61_000).length;
          const isAdmitted = window.take(now, 1, limit) === 1;
          if (isAdmitted) admitted.push(now);
          // Never refused while fewer than the limit were admitted in the last 61 seconds.
          else expect(recent).toBeGreaterThanOrEqual(limit);
          expect(admitted.filter((at) => now - at < 60_000).length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reports correctly when it admits more', () => {
    const start = 1_700_000_000_400;
    for (let offset = 0; offset < 1000; offset += 100) {
      const window = new RateWindow();
      expect(window.take(start + offset, 5, 5)).toBe(5);
      expect(window.take(start + offset + 10, 1, 5)).toBe(0);
      const waitS = window.resetS(start + offset + 10);
      expect(waitS).toBeLessThanOrEqual(61);
      expect(window.take(start + offset + 10 + waitS * 1000, 5, 5)).toBe(5);
    }
  });

  it('is unchanged after it is saved and loaded', () => {
    const window = new RateWindow();
    const start = 1_700_000_000_000;
    for (let second = 0; second < 90; second += 7) window.take(start + second * 1000, 3, 1000);
    const now = start + 85_500;
    const copy = RateWindow.from([...window.entries()], now);
    expect(copy.remaining(now, 1000)).toBe(window.remaining(now, 1000));
    expect([...copy.entries()]).toEqual([...window.entries()]);
  });

  it('takes back unused requests once', () => {
    const window = new RateWindow();
    const now = 1_700_000_000_000;
    window.take(now, 10, 10);
    window.giveBack(now + 2000, now / 1000, 4);
    expect(window.remaining(now + 2000, 10)).toBe(4);
    window.giveBack(now + 2000, now / 1000, 100);
    expect(window.remaining(now + 2000, 10)).toBe(10);
    window.giveBack(now + 90_000, now / 1000, 4);
    expect(window.isEmpty(now + 90_000)).toBe(true);
  });

  it('counts what others took in a later second than the one read before waiting for them', () => {
    const start = 1_700_000_000_999;
    const first = new RateWindow();
    expect(first.take(start + 1, 5, 5)).toBe(5);
    const late = RateWindow.from([...first.entries()], start);
    expect(late.take(start, 1, 5)).toBe(0);
    expect([...late.entries()]).toEqual([...first.entries()]);
    // What is not used of it is given back there.
    late.giveBack(start, late.second, 5);
    expect(late.isEmpty(start)).toBe(true);
    // A clock that was a year ahead admits no less for a year.
    expect(RateWindow.from([...first.entries()], start - 365 * 86_400_000).take(start - 365 * 86_400_000, 9, 5)).toBe(5);
  });

  it('keeps counting when the clock is set back', () => {
    const window = new RateWindow();
    window.take(1_700_000_000_000, 3, 3);
    expect(window.take(1_699_999_000_000, 1, 3)).toBe(0);
    expect(window.take(1_700_000_061_000, 1, 3)).toBe(1);
  });
});
