import { reminderMark } from '../context/plan-reminder.ts';
import type { TokenUsage } from '../events/task-event.ts';

/** What a task may use between two messages of its user. */
export interface TurnLimits {
  /** Model calls with a reply. */
  steps: number;
  /** Input and output combined. */
  tokens: number;
  minutes: number;
}

export const usualTurnLimits: TurnLimits = { steps: 10_000, tokens: 200_000_000, minutes: 24 * 60 };

/** The start of a turn: the counts at that time, and whether the model was notified of its last step. */
export interface TurnStart {
  step: number;
  tokens: number;
  /** Time that has passed in the turn, without long silences. */
  workedMs: number;
  lastStep: number | null;
  /**
   * The latest step with a call that was no mere repetition, or the start of the turn before there is one; later by each step since that
   * ended in the middle of a reply.
   */
  progressStep: number;
}

/** After this many steps in a row that only repeat calls, a turn ends: the model reads refusals and does not act on them. */
const mostRepeatingSteps = 12;

const minuteMs = 60_000;

interface Spent {
  step: number;
  usage: TokenUsage;
  turn: TurnStart;
}

/** The reached limit, in words; null if there is none. */
export function findOverrun({ step, usage, turn }: Spent, budget: TurnLimits): string | null {
  if (step - turn.step >= budget.steps) return `${budget.steps} steps`;
  if (usage.input + usage.output - turn.tokens >= budget.tokens) return `${budget.tokens} tokens`;
  return turn.workedMs >= budget.minutes * minuteMs ? `${budget.minutes} minutes` : null;
}

/** The limit of steps in a row that only repeat calls, in words; null if it is not reached. */
export function findLoop({ step, turn }: Omit<Spent, 'usage'>): string | null {
  return step - turn.progressStep >= mostRepeatingSteps
    ? `${mostRepeatingSteps} steps in a row that only repeat earlier calls`
    : null;
}

/** The note to the model before its last step. */
export function remindOfEnd(limit: string): string {
  return `${reminderMark} This task has reached its limit of ${limit}. This is its last step: answer now, without calling a tool, with what was reached and what is left to do.`;
}

/** The error for the user if the model does not end the task. */
export function explainOverrun(limit: string): string {
  return `The task was ended because it reached its limit of ${limit} without coming to an end. Write again to let it go on.`;
}
