import type { TaskEvent, TaskStatus } from '../../events/task-event.ts';
import { classifyCrashes } from '../crash-blame.ts';

/**
 * What a task that has not ended waits for. `place`: for a worker with room; `takeover`: its worker ended; `worker`: a worker is at
 * it; `subtasks`: the tasks it created; `pause`: its workers died with it, so the next run is delayed.
 */
export const holdReasons = [
  'place',
  'takeover',
  'worker',
  'model_call',
  'model_outage',
  'tool',
  'subtasks',
  'pause',
  'answer',
  'approval',
  'budget',
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why a task does not move; times in milliseconds since the epoch. Contains nothing that was written in the task. */
export interface TaskHold {
  reason: HoldReason;
  /** Null if unknown. */
  sinceMs: number | null;
  /** When the hold ends or is tried again; never known for a place. */
  untilMs: number | null;
  /** The model or tool in question. */
  name: string | null;
}

/** Types of events that, as the last event, explain a hold. */
export const holdEventTypes = ['model_started', 'model_waiting', 'model_failed', 'tool_started', 'waiting'] as const;
export type HoldEvent = Extract<TaskEvent, { type: (typeof holdEventTypes)[number] }>;

/** The facts of a task's row that explain its hold. */
export interface HoldFacts {
  status: TaskStatus;
  /** When a worker may take the task; null if there is nothing to do. */
  wakeAtMs: number | null;
  workerId: string | null;
  crashes: number;
  /** Whether a worker took the lease, even one that has ended since. */
  isLeased: boolean;
  lastEventAtMs: number;
  /** The newest event of the log; null if it explains nothing. */
  last: HoldEvent | null;
}

function holdOf(reason: HoldReason, sinceMs: number | null, untilMs: number | null = null, name: string | null = null): TaskHold {
  return { reason, sinceMs, untilMs, name };
}

function explainWaiting({ last, lastEventAtMs }: HoldFacts): TaskHold {
  if (last?.type !== 'waiting') return holdOf('answer', null);
  if (last.budget) return holdOf('budget', lastEventAtMs, last.budget.retryAtMs);
  return holdOf(last.action ? 'approval' : 'answer', lastEventAtMs);
}

/** Explains a task that a worker holds, or that waits for a time. */
function explainStep({ last, lastEventAtMs }: HoldFacts): TaskHold | null {
  switch (last?.type) {
    case 'model_waiting':
      return holdOf('model_outage', last.sinceMs, last.nextTryAtMs, last.model);
    case 'model_failed':
      return holdOf('model_outage', lastEventAtMs, last.retryAt);
    case 'model_started':
      return holdOf('model_call', lastEventAtMs, null, last.model);
    case 'tool_started':
      return holdOf('tool', lastEventAtMs, null, last.tool);
    default:
      return null;
  }
}

/** What a task waits for at `now`, in milliseconds since the epoch; null for one that has ended. */
export function explainHold(facts: HoldFacts, now: number): TaskHold | null {
  const { status, wakeAtMs, workerId, isLeased, crashes, lastEventAtMs } = facts;
  if (status === 'waiting') return explainWaiting(facts);
  if (status !== 'running') return null;
  if (wakeAtMs === null) return holdOf('subtasks', lastEventAtMs);
  if (wakeAtMs <= now) return holdOf(isLeased ? 'takeover' : 'place', wakeAtMs);
  if (workerId !== null) return explainStep(facts) ?? holdOf('worker', lastEventAtMs);
  if (classifyCrashes(crashes) === 'probation') return holdOf('pause', null, wakeAtMs);
  return holdOf('subtasks', lastEventAtMs, wakeAtMs);
}
