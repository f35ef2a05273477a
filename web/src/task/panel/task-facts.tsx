import type { Task } from '@errand/client';
import { type ReactNode, useState } from 'react';
import { ReplyBudgetDialog } from '../../budgets/reply-budget-dialog.tsx';
import { useCost } from '../../task-list/use-cost.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1 text-sm">
      <dt className="shrink-0 text-soft">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  );
}

interface TaskFactsProps {
  task: Task;
  isOwner: boolean;
}

/** Cost and creation settings of a task. */
export function TaskFacts({ task: shown, isOwner }: TaskFactsProps) {
  const { task, home, budgets } = useText();
  const [isBudgetOpen, setBudgetOpen] = useState(false);
  const format = useFormat();
  const cost = useCost();
  const profiles: Readonly<Record<string, string>> = home.profiles;
  const { created_by_api_key: key, budget } = shown;
  return (
    <section aria-label={task.aboutTask}>
      <h2 className="text-sm font-semibold">{task.about}</h2>
      <dl className="mt-1">
        <Fact name={task.credits}>{cost.ofReply(shown.credit_usage ?? 0)}</Fact>
        {budget && (
          <Fact name={task.budget}>
            {task.budgetUsed(format.number(budget.used), format.number(budget.credits))}
            <span className="block text-soft">
              {budgets.ofMoney(
                format.money(budget.money.used, budget.money.currency),
                format.money(budget.money.amount, budget.money.currency),
              )}
            </span>
          </Fact>
        )}
        <Fact name={task.created}>{format.minute(shown.created_at * 1_000)}</Fact>
        <Fact name={task.profile}>{profiles[shown.agent_profile] ?? shown.agent_profile}</Fact>
        {key !== null && <Fact name={task.apiKey}>{key.name ?? key.id}</Fact>}
      </dl>
      {isOwner && (
        <Button size="small" look="quiet" className="-ml-2.5 text-soft" onClick={() => setBudgetOpen(true)}>
          {budget ? budgets.change : budgets.add}
        </Button>
      )}
      {isBudgetOpen && <ReplyBudgetDialog task={shown} onClose={() => setBudgetOpen(false)} />}
    </section>
  );
}
