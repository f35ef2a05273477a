import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findDateGroup, findGroupStarts } from './date-group.ts';

const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).getTime();

it('groups by days of the calendar, and by months what is older than 30 days', () => {
  const now = at(11, 24, 9);
  expect(findDateGroup(at(11, 24, 0), now)).toBe('today');
  expect(findDateGroup(at(11, 23, 23), now)).toBe('yesterday');
  expect(findDateGroup(at(11, 17, 0), now)).toBe('week');
  expect(findDateGroup(at(11, 16, 23), now)).toBe('month');
  expect(findDateGroup(at(10, 25, 0), now)).toBe('month');
  expect(findDateGroup(at(10, 24), now)).toEqual({ monthMs: at(10, 1, 0) });
  // The clock of the service may be ahead.
  expect(findDateGroup(now + 5_000, now)).toBe('today');
});

it('never returns to a group in a list that starts with the newest', () => {
  const dayMs = 86_400_000;
  fc.assert(
    fc.property(fc.array(fc.nat(800 * dayMs), { minLength: 1 }), fc.nat(400 * dayMs), (ages, offset) => {
      const now = at(11, 24) + offset;
      const times = ages.toSorted((a, b) => a - b).map((age) => now - age);
      const starts = findGroupStarts(times, now).filter((start) => start !== null);
      const groups = times.map((ms) => JSON.stringify(findDateGroup(ms, now)));
      expect(starts.map((start) => JSON.stringify(start))).toEqual([...new Set(groups)]);
    }),
  );
});
