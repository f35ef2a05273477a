import { z } from 'zod';
import { periodAt } from '../../rules/budgets/budget-period.ts';
import type { OuterPeriod, OuterScope } from '../../store/accounts/account-budgets.ts';
import type { Budget } from '../../store/budgets/budget-rows.ts';
import type { CreditPrice } from '../../rules/credits/credit-price.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { presentMoneyUse, shownMoneyUse } from './money-field.ts';

export const outerScopes = [
  'account',
  'project',
  'key',
  'application',
  'schedule',
  'external_user',
] as const satisfies readonly OuterScope[];
export const outerPeriods = ['day', 'month'] as const satisfies readonly OuterPeriod[];

/** A budget of more than a task (docs/build/budgets.md). */
export const budgetObject = z
  .object({
    scope: z.enum(outerScopes),
    id: z.string().meta({
      description:
        'Id of the account, project, key, application, or schedule that is limited, or the `external_user_id` of a person.',
    }),
    period: z.enum(outerPeriods),
    credits: z.int(),
    used: z.int().meta({ description: 'Credits that sessions have used in the current period.' }),
    reserved: z.int().meta({ description: 'The most that model calls under way can add.' }),
    money: shownMoneyUse,
    resets_at: unixTime.meta({ description: 'When the next period begins (UTC).' }),
  })
  .meta({ id: 'Budget' });

export function presentOuterBudget(budget: Budget, now: number, price: CreditPrice): z.input<typeof budgetObject> {
  const { scopeId: id, credits, used, reserved } = budget;
  const [scope, period] = [budget.scope as OuterScope, budget.period as OuterPeriod];
  const resetsAt = toUnixTime(periodAt(period, now).endMs ?? now);
  return { scope, id, period, credits, used, reserved, money: presentMoneyUse(budget, price), resets_at: resetsAt };
}
