/** A piece of a model's reply while it is being written. A reader drops what it has of an attempt when the next one begins. */
export interface Delta {
  step: number;
  attempt: number;
  text: string;
}

export interface DeltaSource {
  /** Calls `listener` for every piece from now on; the returned function ends it. */
  subscribe(taskId: string, listener: (delta: Delta) => void): () => void;
}

export interface DeltaSink {
  publish(taskId: string, delta: Delta): void;
}

/** Deltas inside one process. They are never stored: what counts arrives as an event. */
export class LocalDeltas implements DeltaSource, DeltaSink {
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
