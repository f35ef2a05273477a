import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { deriveId } from '@errand/base/ids.ts';
import type { LoggedEvent, UserMessage } from '../../src/rules/events/task-event.ts';
import type { Database } from '../../src/store/db/database.ts';
import type { StoreOperation } from '../../src/store/db/store-operation.ts';
import { createTask, deleteTask, messageTask, stopTask } from '../../src/store/tasks/tasks.ts';
import { sampleTask } from '../support/db/store-samples.ts';
import { makeSchema } from '../support/tasks/task-logs.ts';
import type { Chance } from './sim-chance.ts';
import type { Said } from './checks.ts';
import type { Road } from './process-view.ts';

/** What the clients know of a task, and what has been seen of its log. */
export interface KnownTask {
  accountId: string;
  taskId: string;
  said: Said[];
  log: LoggedEvent[];
  fence: number;
  /** Its creation or its deletion had no answer. */
  mayBeMissing: boolean;
}

/** Clients of several accounts, who remember what they were told. */
export class Clients {
  readonly tasks = new Map<string, KnownTask>();
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #line: Pick<Road, 'isBlocked' | 'publish'>;
  #count = 0;

  constructor(parts: { database: Database; clock: Clock; chance: Chance; line: Pick<Road, 'isBlocked' | 'publish'> }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#chance = parts.chance;
    this.#line = parts.line;
  }

  /** A client's call: through another process, over a line that may fail before or after the store. */
  async #ask<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result | 'refused' | 'unknown'> {
    if (this.#line.isBlocked()) return 'unknown';
    try {
      const result = await this.#database.run(operation, args);
      for (const hint of operation.announce?.(args, result) ?? []) this.#line.publish(null, hint);
      return this.#line.isBlocked() ? 'unknown' : result;
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return 'refused';
      throw error;
    }
  }

  #makeMessage(text: string): UserMessage {
    const message: UserMessage = { type: 'user_message', text, kind: 'text' };
    return this.#chance.is(0.2) ? { ...message, outputSchema: makeSchema(`field${this.#count}`) } : message;
  }

  async create(): Promise<void> {
    this.#count += 1;
    const now = this.#clock.now();
    const accountId = `account ${this.#chance.below(4)}`;
    const taskId = deriveId(now, `task ${this.#count}`);
    const message = this.#makeMessage(`message ${this.#count}`);
    const isInteractive = this.#chance.is(0.5);
    const answer = await this.#ask(createTask, sampleTask(accountId, { taskId, now, message, isInteractive }));
    const said = [{ text: message.text, isAcknowledged: answer !== 'unknown' }];
    this.tasks.set(taskId, { accountId, taskId, said, log: [], fence: 0, mayBeMissing: answer === 'unknown' });
  }

  #pickTask(): KnownTask | undefined {
    return this.#chance.pick([...this.tasks.values()].slice(-30));
  }

  async message(): Promise<void> {
    const task = this.#pickTask();
    if (!task) return;
    this.#count += 1;
    const message = this.#makeMessage(`message ${this.#count}`);
    const { accountId, taskId } = task;
    const answer = await this.#ask(messageTask, { accountId, taskId, now: this.#clock.now(), message, profile: null });
    if (answer !== 'refused') task.said.push({ text: message.text, isAcknowledged: answer !== 'unknown' });
  }

  async stop(): Promise<void> {
    const task = this.#pickTask();
    if (task) await this.#ask(stopTask, { ...task, now: this.#clock.now() });
  }

  async delete(): Promise<void> {
    const task = this.#pickTask();
    if (!task) return;
    if ((await this.#ask(deleteTask, task)) === 'unknown') task.mayBeMissing = true;
    else this.tasks.delete(task.taskId);
  }
}
