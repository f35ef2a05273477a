import type { RunningLimit } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearing, errand } from '../api/errand.ts';
import { limitsQuery } from '../api/limit-queries.ts';
import { keys } from '../api/query-keys.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';
import { Section } from '../ui/display/card.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { useTargets } from './use-targets.ts';

/** How many tasks of the account and its parts run at once. */
export function RunningLimits() {
  const { budgets, limits } = useText();
  const format = useFormat();
  const { data, error, refetch } = useQuery(limitsQuery);
  const targets = useTargets();
  const [opened, setOpened] = useState<{ limit: RunningLimit | null }>();
  const nameOf = ({ scope, id }: RunningLimit) => {
    const target = targets[scope].find((one) => one.id === id);
    if (id === null) return limits.eachPerson;
    return scope === 'account' ? budgets.scopes.account : budgets.named[scope](target?.name ?? id);
  };
  const removal = useRemoval(
    ({ scope, id }: RunningLimit) =>
      errand.limit.set(clearing<'limit.set'>({ scope, running_tasks: null, ...(id !== null && { id }) })),
    { changes: [keys.limits], describeDone: () => limits.removed },
  );
  const add = (
    <Button size="small" onClick={() => setOpened({ limit: null })}>
      {limits.add}
    </Button>
  );
  return (
    <Section title={limits.title} lead={limits.lead} actions={add}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={1} />}
      {data && (
        <p className="mb-3 text-sm text-soft">
          {limits.now(format.number(data.running))}
          {data.max_running_tasks !== null && ` ${limits.ofOperator(format.number(data.max_running_tasks))}`}
          {data.data.length === 0 && ` ${limits.none}`}
        </p>
      )}
      {data && data.data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {data.data.map((limit) => (
            <li key={`${limit.scope} ${limit.id}`} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3.5 text-sm">
              <div className="min-w-0 flex-1 basis-56">
                <p className="truncate font-medium">{nameOf(limit)}</p>
                <p className="text-soft">
                  {limit.running === null
                    ? limits.atMost(format.number(limit.running_tasks))
                    : limits.use(format.number(limit.running), format.number(limit.running_tasks))}
                </p>
              </div>
              <span className="flex items-center gap-4">
                <RowAction label={limits.change} name={nameOf(limit)} onClick={() => setOpened({ limit })} />
                <RowAction label={limits.remove} name={nameOf(limit)} onClick={() => removal.ask(limit)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {opened && <LimitDialog limit={opened.limit} onClose={() => setOpened(undefined)} />}
      <RemovalDialog removal={removal} titleOf={(limit) => limits.removeTitle(nameOf(limit))} confirmLabel={limits.remove}>
        {limits.removeBody}
      </RemovalDialog>
    </Section>
  );
}
