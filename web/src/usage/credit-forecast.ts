import type { AvailableCredits } from '@errand/client';
import { dayMs, type DayUsage, fillDays } from './daily-usage.ts';

/** How many of the last whole days tell the pace; today is not over. */
export const paceDays = 7;

/** What the credits come to at the pace of the last days. */
export interface CreditForecast {
  perDay: number;
  /** Whole days until nothing is left, counted from now; null when what is filled up every day is enough. */
  lastsDays: number | null;
}

/** How long the credits last at the rate of the last seven days; null when nothing was used. Ignores monthly grants. */
export function forecastCredits(used: readonly DayUsage[], credits: AvailableCredits, nowMs: number): CreditForecast | null {
  const total = fillDays(used, nowMs - dayMs, paceDays).reduce((sum, day) => sum + day.credits, 0);
  if (total === 0) return null;
  const perDay = total / paceDays;
  const fromStock = perDay - credits.max_refresh_credits;
  const stock = Math.max(0, credits.total_credits - credits.refresh_credits);
  return { perDay, lastsDays: fromStock <= 0 ? null : Math.floor(stock / fromStock) };
}
