import { describe, expect, it } from 'vitest';
import { planIntervalMs } from './paging.ts';

describe('the polling of a list', () => {
  it('reads as many pages an hour, however many are loaded', () => {
    expect([0, 1, 2, 30].map((loaded) => planIntervalMs(5000, loaded))).toEqual([5000, 5000, 10_000, 150_000]);
    expect(planIntervalMs(false, 3)).toBe(false);
  });
});
