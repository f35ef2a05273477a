import { expect, it } from 'vitest';
import { Pace } from './gcra-limiter.ts';

it('a pace lets the whole number through at once and then one after the other, for each key', () => {
  let now = 0;
  const pace = new Pace({ now: () => 0, monotonic: () => now, setTimer: () => ({ cancel: () => undefined }) }, 3, 30_000);
  expect([1, 2, 3, 4].map(() => pace.take('a'))).toEqual([0, 0, 0, 10]);
  expect(pace.take('b')).toBe(0);
  now = 10_000;
  expect([pace.take('a'), pace.take('a')]).toEqual([0, 10]);
  pace.clear('a');
  expect(pace.take('a')).toBe(0);
});
