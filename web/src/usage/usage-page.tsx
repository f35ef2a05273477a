import { Budgets } from '../budgets/budgets.tsx';
import { RunningLimits } from '../budgets/running-limits.tsx';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { CreditsCard } from './credits-card.tsx';
import { Ledger } from './ledger.tsx';
import { LedgerExport } from './ledger-export.tsx';
import { TeamUsage } from './team-usage.tsx';
import { UsageByDay } from './usage-by-day.tsx';

/** Usage, and the credits left. */
export function UsagePage() {
  const { usage } = useText();
  const team = useSession().data?.team ?? null;
  return (
    <Page>
      <PageHeader title={usage.title} lead={usage.lead} />
      <div className="mb-10">
        <CreditsCard />
      </div>
      <Budgets />
      <RunningLimits />
      <UsageByDay isTeam={team !== null} />
      {team !== null && <TeamUsage />}
      <Section title={usage.ledger} actions={<LedgerExport />}>
        <Ledger />
      </Section>
    </Page>
  );
}
