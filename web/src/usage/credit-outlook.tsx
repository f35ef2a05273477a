import type { AvailableCredits } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { useNow } from '../ui/display/time.tsx';
import { forecastCredits, paceDays } from './credit-forecast.ts';
import { type DayValue, dayMs, readUsage, startOfDay } from './daily-usage.ts';
import { readRecords } from './own-usage.ts';

/** Longer forecasts are meaningless. */
const longestDays = 365;
const mostPages = 20;

/** The recent usage by day; undefined while it is loading. */
export function usePace() {
  const today = startOfDay(useNow());
  return useQuery({
    queryKey: ['credit-pace', today],
    queryFn: async ({ signal }) => readUsage(await readRecords(today - paceDays * dayMs, mostPages, signal)),
  });
}

/** How long the credits last at the recent rate. Nothing without usage. */
export function CreditOutlook({ credits, used }: { credits: AvailableCredits; used: readonly DayValue[] }) {
  const { usage } = useText();
  const format = useFormat();
  const forecast = forecastCredits(used, credits, startOfDay(useNow()));
  if (!forecast) return null;
  const { perDay, lastsDays } = forecast;
  return (
    <p className="mt-2 text-sm text-soft">
      {usage.pace(Math.ceil(perDay), format.number(Math.ceil(perDay)))} {lastsDays === null && usage.paceCovered}
      {lastsDays !== null && lastsDays <= longestDays && usage.paceLasts(lastsDays, format.number(lastsDays))}
    </p>
  );
}
