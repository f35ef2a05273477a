/** Whether each run starts a task of its own, or all are messages of one. */
export const conversations = ['new', 'same'] as const;
export type Conversation = (typeof conversations)[number];

/** What happens to a run while the task of an earlier one is running or waiting. */
export const overlapPolicies = ['skip', 'queue', 'parallel'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** Which missed runs are made up for after an outage. */
export const catchUpPolicies = ['none', 'last', 'all'] as const;
export type CatchUpPolicy = (typeof catchUpPolicies)[number];

export const scheduleStatuses = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

export const runOutcomes = ['started', 'skipped', 'missed'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** A run that is noticed later than this is one to catch up. */
export const lateMs = 10_000;
/** The most runs that `all` makes up for. */
export const mostCaughtUp = 100;
/** Runs that are recorded as missed after one time without the service; earlier ones leave no record. */
export const mostRecorded = 2 * mostCaughtUp;

/** For each due time, oldest first, whether it is missed. The order stays. */
export function planRuns(
  times: readonly number[],
  nowMs: number,
  policy: CatchUpPolicy,
): { dueAtMs: number; isMissed: boolean }[] {
  const madeUp = policy === 'all' ? mostCaughtUp : policy === 'last' ? 1 : 0;
  return times.map((dueAtMs, index) => {
    const isLate = nowMs - dueAtMs > lateMs;
    return { dueAtMs, isMissed: isLate && index < times.length - madeUp };
  });
}
