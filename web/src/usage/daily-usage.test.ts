import type { UsageRecord } from '@errand/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTicks, dayMs, fillDays, readUsage } from './daily-usage.ts';

const record = (type: UsageRecord['type'], credits: number, at: number) =>
  ({ type, credits, created_at: at / 1000 }) as UsageRecord;

describe('usage by day', () => {
  const now = 100 * dayMs + 5;

  it('adds up the costs of a day minus refunds, without grants', () => {
    const used = readUsage([
      record('cost', -5, now),
      record('refund', 2, now),
      record('grant', 900, now),
      record('cost', -7, now - dayMs),
    ]);
    expect(fillDays(used, now, 3).map(({ value }) => value)).toEqual([0, 7, 3]);
  });

  it('starts the given number of days ago and ends today', () => {
    expect(fillDays([], now, 3).map((day) => day.dayMs)).toEqual([98 * dayMs, 99 * dayMs, 100 * dayMs]);
  });
});

describe('the axis ticks of a chart', () => {
  it('start at 0, are evenly spaced, cover the largest value, and are few', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.constantFrom(1, 0.0001), (count, smallest) => {
        const largest = count * smallest;
        const ticks = chooseTicks(largest, smallest);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(6);
        const size = ticks[1] ?? 0;
        for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(index * size, 8);
      }),
    );
  });
});
