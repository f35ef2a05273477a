/** Listeners by topic, inside one process. */
export class Topics<Message> {
  readonly #listeners = new Map<string, Set<(message: Message) => void>>();

  /** Whether anybody listens to the topic. */
  has(topic: string): boolean {
    return this.#listeners.has(topic);
  }

  publish(topic: string, message: Message): void {
    const listeners = this.#listeners.get(topic);
    if (listeners) for (const listener of [...listeners]) listener(message);
  }

  /** Calls the listeners of all topics. */
  publishToAll(message: Message): void {
    for (const topic of [...this.#listeners.keys()]) this.publish(topic, message);
  }

  /** Calls `listener` for each message of the topic; the returned function ends it. */
  subscribe(topic: string, listener: (message: Message) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }
}
