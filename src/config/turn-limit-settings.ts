import { type TurnLimits, usualTurnLimits } from '../rules/tasks/turn-limits.ts';
import { readInteger } from './setting-readers.ts';
import { setting } from './setting.ts';

/** How far a task may go between two messages of its user. */
export const turnLimitSettings = {
  ERRAND_TASK_STEPS: setting({
    about: 'Maximum steps of a task between two user messages.',
    fallback: usualTurnLimits.steps,
    example: '500',
    read: readInteger(1, 100_000_000),
  }),
  ERRAND_TASK_TOKENS: setting({
    about: 'Maximum input and output tokens of a task between two user messages.',
    fallback: usualTurnLimits.tokens,
    example: '20000000',
    read: readInteger(1, 1_000_000_000_000),
  }),
  ERRAND_TASK_MINUTES: setting({
    about: 'Maximum minutes of a task between two user messages.',
    fallback: usualTurnLimits.minutes,
    example: '120',
    read: readInteger(1, 10_000_000),
  }),
};

/** The limits that these settings name. */
export function readTurnLimits(values: { [Name in keyof typeof turnLimitSettings]: number }): TurnLimits {
  return { steps: values.ERRAND_TASK_STEPS, tokens: values.ERRAND_TASK_TOKENS, minutes: values.ERRAND_TASK_MINUTES };
}
