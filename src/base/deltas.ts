/**
 * A piece of a reply that is still being written. Deltas are shown and forgotten: they are not logged, and whoever was not
 * listening missed them. A reader drops the text of attempt 1 when attempt 2 of the same step begins.
 */
export interface Delta {
  step: number;
  attempt: number;
  text: string;
}

export interface DeltaSink {
  publish(taskId: string, delta: Delta): void;
}

export interface DeltaSource {
  /** Calls `listener` for each delta of the task; the returned function ends it. */
  subscribe(taskId: string, listener: (delta: Delta) => void): () => void;
}

/** Deltas inside one process. */
export class LocalDeltas implements DeltaSink, DeltaSource {
  readonly #listeners = new Map<string, Set<(delta: Delta) => void>>();

  publish(taskId: string, delta: Delta): void {
    const listeners = this.#listeners.get(taskId);
    if (listeners) for (const listener of [...listeners]) listener(delta);
  }

  subscribe(taskId: string, listener: (delta: Delta) => void): () => void {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
    };
  }
}
