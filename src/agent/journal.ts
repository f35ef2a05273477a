import type { ReachedLimit } from '../rules/budgets/budget.ts';
import type { CallDemand } from '../rules/budgets/reservation.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import type { TaskState } from '../rules/tasks/task-state.ts';
import { NoOutcome } from '../tools/toolbox/tool.ts';

/** Thrown when this worker no longer owns the task: another worker has it, or it was stopped or deleted. */
export class LeaseLost extends NoOutcome {
  constructor() {
    super('the task is no longer ours');
    this.name = 'LeaseLost';
  }
}

/** The outcome of a paid call that is about to begin. */
export type Begun =
  /** The start of the call is logged. `outputLimit` is the most tokens that the reply may have; null for the model's own limit. */
  | { outcome: 'logged'; outputLimit: number | null }
  /** Something arrived meanwhile: nothing is stored, and the new events are folded. */
  | { outcome: 'behind' }
  /** Nothing is stored: the call fits into the budgets only once a call of another task has ended. */
  | { outcome: 'busy' }
  /** Nothing is stored: a budget does not cover the call. */
  | { outcome: 'refused'; limit: ReachedLimit };

/** The log of the current task, as the agent sees it. */
export interface Journal {
  /** The state folded from every event known here. */
  readonly state: TaskState;
  /** Stores events; when it resolves they are durable and folded, together with any that arrived before them. */
  append(events: readonly TaskEvent[]): Promise<void>;
  /**
   * Folds events at once and stores them with the start of the next paid call, or on their own before whatever else comes next, so that both
   * share a commit. Until then a crash loses them: only for what may be done again unnoticed.
   */
  hold(events: readonly TaskEvent[]): Promise<void>;
  /** Stores events that are held. */
  storeHeld(): Promise<void>;
  /**
   * Stores events like `append`, but only if nothing arrived meanwhile. Otherwise it stores nothing, folds what arrived, and returns false.
   */
  appendIfCurrent(events: readonly TaskEvent[]): Promise<boolean>;
  /**
   * Stores a call that cost nothing, from its start to what followed, if nothing arrived meanwhile. `budgeted`: nothing is stored, because
   * budgets decide whether it may begin.
   */
  appendCall(events: readonly TaskEvent[]): Promise<'logged' | 'behind' | 'budgeted'>;
  /** Whether budgets are known to limit the task, so that no call may begin without asking them. */
  readonly isBudgeted: boolean;
  /** Stores the start of a paid call, for which all budgets of the task have room; `isCurrent` as for `appendIfCurrent`. */
  begin(start: TaskEvent, demand: CallDemand, isCurrent: boolean): Promise<Begun>;
  /**
   * Runs something slow outside the log. The signal aborts as soon as the task is stopped or taken away; the promise then rejects with
   * `LeaseLost`.
   */
  attend<Result>(effect: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}
