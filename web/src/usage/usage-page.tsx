import { Budgets } from '../budgets/budgets.tsx';
import { RunningLimits } from '../budgets/running-limits.tsx';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { Breakdown } from './breakdown.tsx';
import { CreditsCard } from './credits-card.tsx';
import { Ledger } from './ledger.tsx';
import { LedgerExport } from './ledger-export.tsx';

/** Usage, its limits, and where credits are limited those that are left. */
export function UsagePage() {
  const { usage } = useText();
  const hasCredits = useSession().data?.instance.has_credit_limit ?? false;
  return (
    <Page>
      <PageHeader title={usage.title} lead={hasCredits ? usage.lead : usage.leadUnlimited} />
      {hasCredits && (
        <div className="mb-10">
          <CreditsCard />
        </div>
      )}
      <Breakdown />
      <Budgets />
      <RunningLimits />
      {hasCredits && (
        <Section title={usage.ledger} actions={<LedgerExport />}>
          <Ledger />
        </Section>
      )}
    </Page>
  );
}
