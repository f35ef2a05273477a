import type { AvailableCredits } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { creditsQuery } from '../api/account-facts.ts';
import { useSession } from '../api/session.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Card } from '../ui/display/card.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { CreditOutlook, usePace } from './credit-outlook.tsx';

type Kind = 'refresh' | 'periodic' | 'event' | 'addon' | 'free';

/** The kinds of credits in the order in which they are spent. Only kinds that are topped up have a full amount. */
function listKinds(credits: AvailableCredits): { kind: Kind; left: number; full: number | null }[] {
  return [
    { kind: 'refresh' as const, left: credits.refresh_credits, full: credits.max_refresh_credits },
    { kind: 'periodic' as const, left: credits.periodic_credits, full: credits.pro_monthly_credits },
    { kind: 'event' as const, left: credits.event_credits, full: null },
    { kind: 'addon' as const, left: credits.addon_credits, full: null },
    { kind: 'free' as const, left: credits.free_credits, full: null },
  ].filter(({ left, full }) => left !== 0 || (full ?? 0) > 0);
}

function KindRow({ kind, left, full }: { kind: Kind; left: number; full: number | null }) {
  const { usage } = useText();
  const format = useFormat();
  return (
    <div>
      <dt className="float-left text-sm">{usage.kinds[kind]}</dt>
      <dd className="text-right text-sm tabular-nums">
        {format.credits(left)}
        {full !== null && <span className="text-soft"> / {format.credits(full)}</span>}
      </dd>
      {full !== null && full > 0 && (
        <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-full bg-hover">
          <div
            className="h-full rounded-full bg-accent"
            style={{ width: `${Math.min(100, Math.max(0, (left / full) * 100))}%` }}
          />
        </div>
      )}
    </div>
  );
}

/** The available credits by kind, and when more are granted. */
export function CreditsCard() {
  const { settings, usage } = useText();
  const format = useFormat();
  const plan = useSession().data?.account.plan;
  const pace = usePace();
  const { data, error, refetch } = useQuery(creditsQuery);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined || pace.isPending) return <Skeleton className="h-79 sm:h-42" />;
  return (
    <Card className="grid gap-6 sm:grid-cols-2">
      <div>
        <h2 className="text-sm text-soft">{usage.available}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-3">
          <span className="text-2xl font-semibold tabular-nums">{format.credits(data.total_credits)}</span>
          {plan && <Badge>{usage.plan(settings.plans[plan])}</Badge>}
        </p>
        {data.next_refresh_time > 0 && (
          <p className="mt-2 text-sm text-soft">{usage.refill(format.minute(data.next_refresh_time * 1000))}</p>
        )}
        <CreditOutlook credits={data} used={pace.data ?? []} />
      </div>
      <dl className="flex flex-col gap-3">
        {listKinds(data).map((row) => (
          <KindRow key={row.kind} {...row} />
        ))}
      </dl>
    </Card>
  );
}
