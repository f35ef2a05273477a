import type { AvailableCredits } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { forecastCredits } from './credit-forecast.ts';
import { dayMs } from './daily-usage.ts';

const now = 100 * dayMs + 5;
const credits = { total_credits: 1_050, refresh_credits: 50, max_refresh_credits: 100 } as AvailableCredits;
const use = (perDay: number) => Array.from({ length: 7 }, (_, index) => ({ dayMs: (99 - index) * dayMs, value: perDay }));

describe('how long credits last', () => {
  it('depends on the last seven full days and the credits besides the daily ones', () => {
    expect(forecastCredits(use(150), credits, now)).toEqual({ perDay: 150, lastsDays: 20 });
  });

  it('is unlimited if the daily credits cover the usage', () => {
    expect(forecastCredits(use(100), credits, now)).toEqual({ perDay: 100, lastsDays: null });
  });

  it('is unknown without usage before today', () => {
    expect(forecastCredits([{ dayMs: 100 * dayMs, value: 500 }], credits, now)).toBeNull();
  });

  it('is zero days if no credits are left', () => {
    expect(forecastCredits(use(150), { ...credits, total_credits: -3 }, now)?.lastsDays).toBe(0);
  });
});
