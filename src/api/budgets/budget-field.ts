import { z } from 'zod';
import { limitActions, mostBudgetCredits, type ReplyBudget, type ReplyBudgetUse } from '../../rules/budgets/budget.ts';
import { optional } from '../contract/fields.ts';

/** The limit of any budget, in a request. */
export const limitField = z.int().min(1).max(mostBudgetCredits).meta({ description: 'A whole number of credits, at least 1.' });

const request = z.object({
  credits: limitField,
  on_limit: optional(z.enum(limitActions)).meta({
    description: 'At the limit, the task waits for a higher budget (`wait`, the default) or ends with an error (`end`).',
  }),
});

/** What each reply of a task may cost, in a request. */
export const budgetField = optional(request).meta({
  description: 'The most that each reply of the task, with its subtasks, may cost (docs/build/budgets.md).',
});

/** The same where null removes it. */
export const budgetChange = request.nullish().meta({ description: 'The most that each reply may cost; null removes the limit.' });

export function readBudget(input: z.output<typeof request> | undefined): ReplyBudget | null {
  return input ? { credits: input.credits, onLimit: input.on_limit ?? null } : null;
}

const shown = { credits: z.int(), on_limit: z.enum(limitActions) };

/** The same of a task that starts later. */
export const shownBudget = z.object(shown).optional();

export function presentBudget({ credits, onLimit }: ReplyBudget): z.input<typeof shownBudget> {
  return { credits, on_limit: onLimit ?? 'wait' };
}

/** The budget of a task with its use. */
export const shownBudgetUse = z
  .object({
    ...shown,
    used: z.int().meta({ description: 'What the current reply has cost so far, with its subtasks.' }),
    reserved: z.int().meta({ description: 'The most that model calls under way can add.' }),
  })
  .optional()
  .meta({ description: 'What each reply may cost; absent without a limit, and of subtasks, which draw on that of their task.' });

export function presentBudgetUse({ credits, onLimit, used, reserved }: ReplyBudgetUse): z.input<typeof shownBudgetUse> {
  return { credits, on_limit: onLimit, used, reserved };
}
