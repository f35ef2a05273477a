import { useQuery } from '@tanstack/react-query';
import { errand } from '../api/errand.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Card, Section } from '../ui/display/card.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { useNow } from '../ui/display/time.tsx';
import { type DayUsage, dayMs, fillDays, readUsage, startOfDay } from './daily-usage.ts';
import { readRecords } from './own-usage.ts';
import { UsageChart } from './usage-chart.tsx';

const shownDays = 30;
/** Beyond this, only the newest records of the month count. */
const mostPages = 20;

/** The account's usage since then, from the ledger. */
async function readOwnUsage(sinceMs: number, signal: AbortSignal): Promise<DayUsage[]> {
  return readUsage(await readRecords(sinceMs, mostPages, signal));
}

/** The team's usage since then. */
async function readTeamUsage(sinceMs: number, signal: AbortSignal): Promise<DayUsage[]> {
  const { data } = await errand.usage.teamStatistic({ start_date: sinceMs / 1000 }, { signal });
  return data.map(({ date, credits }) => ({ dayMs: date * 1000, credits }));
}

/** A chart of the last 30 days, for the team if there is one. */
export function UsageByDay({ isTeam }: { isTeam: boolean }) {
  const { usage } = useText();
  const format = useFormat();
  const today = startOfDay(useNow());
  const { data, error, refetch } = useQuery({
    queryKey: ['usage-by-day', isTeam, today],
    queryFn: ({ signal }) => (isTeam ? readTeamUsage : readOwnUsage)(today - (shownDays - 1) * dayMs, signal),
  });
  const days = data && fillDays(data, today, shownDays);
  const total = days?.reduce((sum, { credits }) => sum + credits, 0) ?? 0;
  return (
    <Section title={isTeam ? usage.teamByDay : usage.byDay} lead={days && usage.total(total, format.credits(total))}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !days && <Skeleton className="h-61" />}
      {days && (
        <Card>
          <UsageChart days={days} />
        </Card>
      )}
    </Section>
  );
}
