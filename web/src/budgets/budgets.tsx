import type { Budget } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearing, errand } from '../api/errand.ts';
import { budgetsQuery } from '../api/limit-queries.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';
import { Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetRow } from './budget-row.tsx';
import { useTargets } from './use-targets.ts';

/** Limits of what the account and its parts may cost in a day or month. */
export function Budgets() {
  const { budgets } = useText();
  const { data, error, refetch } = useQuery(budgetsQuery);
  const targets = useTargets();
  const [opened, setOpened] = useState<{ budget: Budget | null }>();
  const nameOf = ({ scope, id }: Budget) => {
    const target = targets[scope].find((one) => one.id === id);
    return scope === 'account' ? budgets.scopes.account : budgets.named[scope](target?.name ?? id);
  };
  const removal = useRemoval(
    ({ scope, id, period }: Budget) => errand.budget.set(clearing<'budget.set'>({ scope, id, period, credits: null })),
    {
      changes: [keys.budgets],
      describeDone: () => budgets.removed,
    },
  );
  const add = (
    <Button size="small" onClick={() => setOpened({ budget: null })}>
      {budgets.add}
    </Button>
  );
  return (
    <Section title={budgets.title} lead={budgets.lead} actions={add}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={1} />}
      {data?.length === 0 && <p className="text-sm text-soft">{budgets.none}</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {data.map((budget) => (
            <BudgetRow
              key={`${budget.scope} ${budget.id} ${budget.period}`}
              budget={budget}
              name={nameOf(budget)}
              onChange={() => setOpened({ budget })}
              onRemove={() => removal.ask(budget)}
            />
          ))}
        </ul>
      )}
      {opened && <BudgetDialog budget={opened.budget} onClose={() => setOpened(undefined)} />}
      <RemovalDialog removal={removal} titleOf={(budget) => budgets.removeTitle(nameOf(budget))} confirmLabel={budgets.remove}>
        {budgets.removeBody}
      </RemovalDialog>
    </Section>
  );
}
