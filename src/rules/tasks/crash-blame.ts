/**
 * Whether a task ends its workers. The death of a worker says little about the tasks it held: it was killed, its machine failed, or one of
 * many tasks is to blame. What only the task itself can explain is that its workers die each time, also after pauses, and also where
 * nothing else runs (docs/internals/decisions/0007-quarantine-crashing-tasks.md).
 */

/** Deaths without a step in between, after which a task is quarantined: no two such tasks run in one worker. */
export const quarantineCrashes = 2;

/** Deaths after which each further run is on probation: after a pause, and alone in a worker if one has nothing to do. */
export const probationCrashes = 3;

/** Deaths after which a task is ended (docs/reference/guarantees.md#p12). */
export const maxCrashes = 6;

/** How long a task on probation waits for a worker without other tasks before it takes any. */
export const probationWaitMs = 30_000;

/** How long a worker keeps other tasks away from one on probation; they may be waiting for this worker. */
export const probationAloneMs = 10_000;

const firstPauseMs = 15_000;
const pauseGrowth = 4;

/**
 * How the last lease on a task ended: `released` by its worker, or never renewed by one that had been told to stop (`leaving`) or was
 * not (`died`); `failed`: the worker lives and saw the task itself throw.
 */
export type LeaseEnd = 'released' | 'leaving' | 'died' | 'failed';

const blame: Record<LeaseEnd, number> = { released: 0, leaving: 0, died: 1, failed: 2 };

/** The deaths counted against a task after one more of its leases has ended. An error of its own is proof, and counts as two. */
export function countCrashes(crashes: number, end: LeaseEnd): number {
  return crashes + blame[end];
}

/** The pause before a task with this many deaths runs again. All pauses together outlast a storm of kills. */
export function pauseBeforeRun(crashes: number): number {
  if (crashes < probationCrashes || crashes >= maxCrashes) return 0;
  return firstPauseMs * pauseGrowth ** (crashes - probationCrashes);
}

/** How a task with this many deaths may run: normally, beside no other quarantined task, on probation, or not at all. */
export function classifyCrashes(crashes: number): 'free' | 'quarantined' | 'probation' | 'ended' {
  if (crashes >= maxCrashes) return 'ended';
  if (crashes >= probationCrashes) return 'probation';
  return crashes >= quarantineCrashes ? 'quarantined' : 'free';
}
