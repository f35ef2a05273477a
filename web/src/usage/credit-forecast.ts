import type { AvailableCredits } from '@errand/client';
import { dayMs, type DayValue, fillDays } from './daily-usage.ts';

/** Number of full days that determine the rate; today is not over. */
export const paceDays = 7;

/** A credit forecast at the recent rate. */
export interface CreditForecast {
  perDay: number;
  /** Full days from now until no credits are left; null if the daily credits are enough. */
  lastsDays: number | null;
}

/** How long the credits last at the rate of the last seven days; null when nothing was used. Ignores monthly grants. */
export function forecastCredits(used: readonly DayValue[], credits: AvailableCredits, nowMs: number): CreditForecast | null {
  const total = fillDays(used, nowMs - dayMs, paceDays).reduce((sum, day) => sum + day.value, 0);
  if (total === 0) return null;
  const perDay = total / paceDays;
  const fromStock = perDay - credits.max_refresh_credits;
  const stock = Math.max(0, credits.total_credits - credits.refresh_credits);
  return { perDay, lastsDays: fromStock <= 0 ? null : Math.floor(stock / fromStock) };
}
