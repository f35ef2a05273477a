/**
 * A wake-up: "look at this now". A hint carries no data and may be lost, duplicated, or late; subscribers also look
 * from time to time without it, so a lost hint costs latency and never an event.
 */
export type Hint =
  /** Some task can be claimed. */
  | { topic: 'due' }
  /** The log or the lease of this task changed. */
  | { topic: 'task'; taskId: string }
  /** This account has a new task. */
  | { topic: 'tasks'; accountId: string }
  /** Some task was deleted; what lies outside of the database can be swept. */
  | { topic: 'deleted' }
  /** Something in a library waits for a worker: a site to be published, a cover to be made. */
  | { topic: 'library' }
  /** Some delivery can be claimed. */
  | { topic: 'deliveries' }
  /** A chat was linked or unlinked. */
  | { topic: 'bridges' }
  /** A skill or a connector changed; caches of them are void. */
  | { topic: 'skills' }
  /** A credential or a signing key changed; caches of them are void. */
  | { topic: 'credentials' };

export interface Hints {
  publish(hint: Hint): void;
  /** Calls `listener` for each hint whose key is `hintKey(hint)`; the returned function ends it. */
  subscribe(key: string, listener: () => void): () => void;
}

export function hintKey(hint: Hint): string {
  if (hint.topic === 'task') return taskKey(hint.taskId);
  return hint.topic === 'tasks' ? tasksKey(hint.accountId) : hint.topic;
}

export const dueKey = 'due';
export const deletedKey = 'deleted';
export const libraryKey = 'library';
export const deliveriesKey = 'deliveries';
export const bridgesKey = 'bridges';
export const skillsKey = 'skills';
export const credentialsKey = 'credentials';

export function taskKey(taskId: string): string {
  return `task:${taskId}`;
}

export function tasksKey(accountId: string): string {
  return `tasks:${accountId}`;
}

/** Everything: what a process publishes to itself when it cannot know what it missed. */
export const everythingKey = '*';

/** Hints inside one process. `publishKey` lets a bridge to other processes feed it. */
export class LocalHints implements Hints {
  readonly #listeners = new Map<string, Set<() => void>>();

  publish(hint: Hint): void {
    this.publishKey(hintKey(hint));
  }

  publishKey(key: string): void {
    if (key === everythingKey) {
      for (const listeners of [...this.#listeners.values()]) for (const listener of [...listeners]) listener();
      return;
    }
    const listeners = this.#listeners.get(key);
    if (listeners) for (const listener of [...listeners]) listener();
  }

  subscribe(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }
}
