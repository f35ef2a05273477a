import { Topics } from './topics.ts';

/**
 * A wake-up. A hint carries no data and may be lost, duplicated, or late; subscribers also poll, so a lost hint costs latency and never an
 * event.
 */
export type Hint =
  /** Some task can be claimed. */
  | { topic: 'due' }
  /** A worker process has started, or must drain, or must no longer drain. */
  | { topic: 'workers' }
  /** The log or the lease of this task has changed. */
  | { topic: 'task'; taskId: string }
  /** This account has a new task. */
  | { topic: 'tasks'; accountId: string }
  /** Some task was deleted; its data outside the database can be swept. */
  | { topic: 'deleted' }
  /** Something in a library needs a worker: a site to publish, a cover to create. */
  | { topic: 'library' }
  /** Some delivery can be claimed. */
  | { topic: 'deliveries' }
  /** A notification can be sent. */
  | { topic: 'notifications' }
  /** A schedule was created or changed, or one of its runs can start. */
  | { topic: 'schedules' }
  /** A task that waits for a budget may be able to resume. */
  | { topic: 'budgets' }
  /** A chat was linked or unlinked. */
  | { topic: 'bridges' }
  /** A skill or a connector changed; cached ones are invalid. */
  | { topic: 'skills' }
  /** The models of a profile were set; those in use are out of date. */
  | { topic: 'models' }
  /** An account has changed its own keys for models; cached ones are invalid. */
  | { topic: 'model_keys' }
  /** A credential or a signing key changed; cached ones are invalid. */
  | { topic: 'credentials' }
  /** An account was disabled or must be deleted, which needs work. */
  | { topic: 'accounts' };

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
export const workersKey = 'workers';
export const deletedKey = 'deleted';
export const libraryKey = 'library';
export const deliveriesKey = 'deliveries';
export const notificationsKey = 'notifications';
export const schedulesKey = 'schedules';
export const budgetsKey = 'budgets';
export const bridgesKey = 'bridges';
export const skillsKey = 'skills';
export const modelsKey = 'models';
export const modelKeysKey = 'model_keys';
export const credentialsKey = 'credentials';
export const accountsKey = 'accounts';

export function taskKey(taskId: string): string {
  return `task:${taskId}`;
}

export function tasksKey(accountId: string): string {
  return `tasks:${accountId}`;
}

/** The key that stands for everything; a process publishes it to itself when it may have missed hints. */
export const everythingKey = '*';

/** Hints inside one process. `publishKey` lets a bridge to other processes feed it. */
export class LocalHints implements Hints {
  readonly #topics = new Topics<void>();

  publish(hint: Hint): void {
    this.publishKey(hintKey(hint));
  }

  publishKey(key: string): void {
    if (key === everythingKey) this.#topics.publishToAll();
    else this.#topics.publish(key);
  }

  subscribe(key: string, listener: () => void): () => void {
    return this.#topics.subscribe(key, listener);
  }
}
