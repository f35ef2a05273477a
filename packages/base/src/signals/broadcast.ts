/**
 * Short texts between those who know a topic, in this process or in others. They are stored nowhere, and may be lost: whoever needs an answer
 * says it again.
 */
export interface Broadcast {
  publish(topic: string, text: string): void;
  /** Calls `listener` for each text of the topic; the returned function ends it. */
  subscribe(topic: string, listener: (text: string) => void): () => void;
}

/** Inside one process. */
export class LocalBroadcast implements Broadcast {
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  /** Whether anybody listens to the topic. */
  has(topic: string): boolean {
    return this.#listeners.has(topic);
  }

  publish(topic: string, text: string): void {
    const listeners = this.#listeners.get(topic);
    if (listeners) for (const listener of [...listeners]) listener(text);
  }

  subscribe(topic: string, listener: (text: string) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }
}
