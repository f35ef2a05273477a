/** What happens at the limit: the task waits for a higher one, or ends with an error. */
export const limitActions = ['wait', 'end'] as const;
export type LimitAction = (typeof limitActions)[number];

/** What one reply of a task, with its subtasks, may cost. */
export interface ReplyBudget {
  credits: number;
  /** Null keeps the earlier choice; a new budget then waits. */
  onLimit: LimitAction | null;
}

/** The budget of a reply, with its cost so far and what is reserved for model calls under way. */
export interface ReplyBudgetUse {
  credits: number;
  onLimit: LimitAction;
  used: number;
  reserved: number;
}

/** What a budget limits. `task` limits each reply; everything else is limited per day or month. */
export type BudgetScope = 'account' | 'application' | 'external_user' | 'key' | 'project' | 'schedule' | 'task';
export type BudgetPeriod = 'reply' | 'day' | 'month';

/** More than anyone has, and far below the limits of numbers. */
export const mostBudgetCredits = 1_000_000_000;

/** A budget whose limit was reached. */
export interface ReachedLimit {
  scope: BudgetScope;
  scopeId: string;
  period: BudgetPeriod;
  credits: number;
  used: number;
  onLimit: LimitAction;
  /** Whether the warning about this use was given. */
  isWarned: boolean;
  /** When its next period begins; null for a reply. */
  resetsAtMs: number | null;
}

const spentOn: Record<BudgetScope, string> = {
  account: 'this account',
  application: 'the tasks of this application',
  external_user: 'the tasks of this person',
  key: 'the tasks of this API key',
  project: 'the tasks of this project',
  schedule: 'the tasks of this schedule',
  task: 'this reply',
};

/** Explains why a task has paused, and how it can continue. */
export function explainLimit({ scope, period, credits, used, resetsAtMs }: ReachedLimit): string {
  const per = period === 'reply' ? '' : ` per ${period}`;
  const limit = `The budget of ${credits} ${credits === 1 ? 'credit' : 'credits'}${per} for ${spentOn[scope]} does not cover the next step`;
  const remedy = resetsAtMs === null ? 'Raise it' : `Raise it, or wait until ${new Date(resetsAtMs).toISOString()}`;
  return `${limit}: ${used} ${used === 1 ? 'is' : 'are'} used. ${remedy}, and the task continues.`;
}

/** The JSON Schema of `input` in inbox.decide, for a task that waits for a higher budget. */
export const raiseSchema = {
  type: 'object',
  properties: { credits: { type: 'integer', minimum: 1, description: 'The new budget, in credits.' } },
  required: ['credits'],
};
