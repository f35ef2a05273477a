import type { Budget } from '@errand/client';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { RowAction } from '../ui/controls/row-action.tsx';

interface BudgetRowProps {
  budget: Budget;
  /** What it limits. */
  name: string;
  onChange(): void;
  onRemove(): void;
}

/** A budget with what is used of it. */
export function BudgetRow({ budget, name, onChange, onRemove }: BudgetRowProps) {
  const { budgets } = useText();
  const format = useFormat();
  const { used, credits, period, money, resets_at: resetsAt } = budget;
  const isSpent = used >= credits;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="truncate font-medium">{name}</p>
        <p className={isSpent ? 'text-bad' : 'text-soft'}>
          {budgets.use[period](format.number(used), format.number(credits))}
          {' ('}
          {budgets.ofMoney(format.money(money.used, money.currency), format.money(money.amount, money.currency))}
          {')'}
          {' · '}
          {budgets.resets(format.minute(resetsAt * 1_000))}
        </p>
        <div aria-hidden className="mt-1.5 h-1 max-w-96 overflow-hidden rounded-full bg-hover">
          <div
            className={isSpent ? 'h-full bg-bad' : 'h-full rounded-full bg-accent'}
            style={{ width: `${Math.min(100, (used / credits) * 100)}%` }}
          />
        </div>
      </div>
      <span className="flex items-center gap-4">
        <RowAction label={budgets.change} name={name} onClick={onChange} />
        <RowAction label={budgets.remove} name={name} onClick={onRemove} />
      </span>
    </li>
  );
}
