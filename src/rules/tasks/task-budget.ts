import { reminderMark } from '../context/plan-reminder.ts';
import type { TokenUsage } from '../events/task-event.ts';

/** What a task may use from one message of its user to the next. */
export interface TaskBudget {
  /** Calls of the model that gave a reply. */
  steps: number;
  /** Input and output together. */
  tokens: number;
  minutes: number;
}

export const usualBudget: TaskBudget = { steps: 10_000, tokens: 200_000_000, minutes: 24 * 60 };

/** Where a turn began: the counts at that time, and whether the model was notified of its last step. */
export interface TurnStart {
  step: number;
  tokens: number;
  /** Time that has passed in it, without long silences. */
  workedMs: number;
  lastStep: number | null;
}

const minuteMs = 60_000;

interface Spent {
  step: number;
  usage: TokenUsage;
  turn: TurnStart;
}

/** Which limit is reached, in words; null while none is. */
export function findOverrun({ step, usage, turn }: Spent, budget: TaskBudget): string | null {
  if (step - turn.step >= budget.steps) return `${budget.steps} steps`;
  if (usage.input + usage.output - turn.tokens >= budget.tokens) return `${budget.tokens} tokens`;
  return turn.workedMs >= budget.minutes * minuteMs ? `${budget.minutes} minutes` : null;
}

/** The note to the model when one step is left. */
export function remindOfEnd(limit: string): string {
  return `${reminderMark} This task has reached its limit of ${limit}. This is its last step: answer now, without calling a tool, with what was reached and what is left to do.`;
}

/** What the user reads where even that did not end it. */
export function explainOverrun(limit: string): string {
  return `The task was ended because it reached its limit of ${limit} without coming to an end. Write again to let it go on.`;
}
