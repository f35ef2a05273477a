import type { TaskEvent } from '../rules/events/task-event.ts';
import type { TaskState } from '../rules/tasks/task-state.ts';

/** Thrown when this worker no longer owns the task: another worker has it, or it was stopped or deleted. */
export class LeaseLost extends Error {
  constructor() {
    super('the task is no longer ours');
    this.name = 'LeaseLost';
  }
}

/** The log of the current task, as the agent sees it. */
export interface Journal {
  /** The state folded from every event known here. */
  readonly state: TaskState;
  /** Stores events; when it resolves they are durable and folded, together with any that arrived before them. */
  append(events: readonly TaskEvent[]): Promise<void>;
  /** The same, but only if nothing arrived meanwhile; otherwise stores nothing, folds the new events, and returns false. */
  appendIfCurrent(events: readonly TaskEvent[]): Promise<boolean>;
  /**
   * Runs something slow outside the log. The signal aborts as soon as the task is stopped or taken away; the promise then rejects with
   * `LeaseLost`.
   */
  attend<Result>(effect: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}
