import type { TaskEvent, TaskStatus } from '../../events/task-event.ts';
import { judge } from '../crash-blame.ts';

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

/** Why a task is where it is; times in milliseconds since the epoch. Nothing of what was written in the task. */
export interface TaskHold {
  reason: HoldReason;
  /** Null if unknown. */
  sinceMs: number | null;
  /** When this ends or is tried again: of a place, never known. */
  untilMs: number | null;
  /** The model or tool that it is about. */
  name: string | null;
}

/** The last event of these types explains a hold. */
export const holdEventTypes = ['model_started', 'model_waiting', 'model_failed', 'tool_started', 'waiting'] as const;
export type HoldEvent = Extract<TaskEvent, { type: (typeof holdEventTypes)[number] }>;

/** What of a task's row says where it is. */
export interface HoldFacts {
  status: TaskStatus;
  /** When a worker may take it; null if nothing is to be done. */
  wakeAtMs: number | null;
  workerId: string | null;
  crashes: number;
  /** Whether the lease was taken by a worker, also one that has ended since. */
  isLeased: boolean;
  lastEventAtMs: number;
  /** The newest entry of its log; null if that explains nothing. */
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

/** A task that a worker holds, or that waits for a time. */
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
  if (judge(crashes) === 'probation') return holdOf('pause', null, wakeAtMs);
  return holdOf('subtasks', lastEventAtMs, wakeAtMs);
}
