import type { AvailableCredits } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { forecastCredits } from './credit-forecast.ts';
import { dayMs } from './daily-usage.ts';

const now = 100 * dayMs + 5;
const credits = { total_credits: 1_050, refresh_credits: 50, max_refresh_credits: 100 } as AvailableCredits;
const use = (perDay: number) => Array.from({ length: 7 }, (_, index) => ({ dayMs: (99 - index) * dayMs, credits: perDay }));

describe('how long credits last', () => {
  it('is told by the last seven whole days and by what is there beside the daily credits', () => {
    expect(forecastCredits(use(150), credits, now)).toEqual({ perDay: 150, lastsDays: 20 });
  });

  it('is for ever where what is filled up every day is enough', () => {
    expect(forecastCredits(use(100), credits, now)).toEqual({ perDay: 100, lastsDays: null });
  });

  it('is not told where nothing was used, today aside', () => {
    expect(forecastCredits([{ dayMs: 100 * dayMs, credits: 500 }], credits, now)).toBeNull();
  });

  it('is no day when nothing is left', () => {
    expect(forecastCredits(use(150), { ...credits, total_credits: -3 }, now)?.lastsDays).toBe(0);
  });
});
