import { z } from 'zod';
import { limitActions, type ReplyBudget, type ReplyBudgetUse } from '../../rules/budgets/budget.ts';
import type { CreditPrice } from '../../rules/credits/credit-price.ts';
import { optional } from '../contract/fields.ts';
import { limitField, moneyField, presentMoney, presentMoneyUse, readLimit, shownMoney, shownMoneyUse } from './money-field.ts';

/** What can be said about money. */
interface Priced {
  credits: { price: CreditPrice };
}

const request = z.object({
  credits: optional(limitField),
  money: optional(moneyField),
  on_limit: optional(z.enum(limitActions)).meta({
    description: 'At the limit, the task waits for a higher budget (`wait`, the default) or ends with an error (`end`).',
  }),
});

/** What each reply of a task may cost, in a request. */
export const budgetField = optional(request).meta({
  description: 'The most that each reply of the task, with its subtasks, may cost (docs/build/budgets.md).',
});

/** What each reply of a task may cost, in a request that changes it; null removes the limit. */
export const budgetChange = request.nullish().meta({ description: 'The most that each reply may cost; null removes the limit.' });

export function readBudget(input: z.output<typeof request> | undefined, { credits: { price } }: Priced): ReplyBudget | null {
  return input ? { credits: readLimit(input, price, 'budget.'), onLimit: input.on_limit ?? null } : null;
}

const shown = { credits: z.int(), on_limit: z.enum(limitActions) };

/** The budget of a task that starts later, in a response. */
export const shownBudget = z.object({ ...shown, money: shownMoney }).optional();

export function presentBudget(budget: ReplyBudget, { credits: { price } }: Priced): z.input<typeof shownBudget> {
  return { credits: budget.credits, on_limit: budget.onLimit ?? 'wait', money: presentMoney(budget, price) };
}

/** The budget of a task with its use. */
export const shownBudgetUse = z
  .object({
    ...shown,
    used: z.int().meta({ description: 'What the current reply has cost so far, with its subtasks.' }),
    reserved: z.int().meta({ description: 'The most that model calls under way can add.' }),
    money: shownMoneyUse,
  })
  .optional()
  .meta({ description: 'What each reply may cost; absent without a limit, and of subtasks, which draw on that of their task.' });

export function presentBudgetUse(budget: ReplyBudgetUse, { credits: { price } }: Priced): z.input<typeof shownBudgetUse> {
  const { credits, onLimit, used, reserved } = budget;
  return { credits, on_limit: onLimit, used, reserved, money: presentMoneyUse(budget, price) };
}
