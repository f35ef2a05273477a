import { type TaskBudget, usualBudget } from '../rules/tasks/task-budget.ts';
import { readInteger } from './setting-readers.ts';
import { setting } from './setting.ts';

/** Limits of a task. */
export const budgetSettings = {
  ERRAND_TASK_STEPS: setting({
    about: 'Maximum steps of a task between two user messages.',
    fallback: usualBudget.steps,
    example: '500',
    read: readInteger(1, 100_000_000),
  }),
  ERRAND_TASK_TOKENS: setting({
    about: 'Maximum input and output tokens of a task between two user messages.',
    fallback: usualBudget.tokens,
    example: '20000000',
    read: readInteger(1, 1_000_000_000_000),
  }),
  ERRAND_TASK_MINUTES: setting({
    about: 'Maximum minutes of a task between two user messages.',
    fallback: usualBudget.minutes,
    example: '120',
    read: readInteger(1, 10_000_000),
  }),
};

/** The limits that these settings name. */
export function readTaskBudget(values: { [Name in keyof typeof budgetSettings]: number }): TaskBudget {
  return { steps: values.ERRAND_TASK_STEPS, tokens: values.ERRAND_TASK_TOKENS, minutes: values.ERRAND_TASK_MINUTES };
}
