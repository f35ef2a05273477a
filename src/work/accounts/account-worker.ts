import { Fault } from '@errand/base/fault.ts';
import { accountsKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import { findTasksOfDisabled } from '../../store/instance/managed-accounts.ts';
import { stopTask } from '../../store/tasks/tasks.ts';
import { AccountDeletions, type AccountDeletionsParts } from './account-deletions.ts';

/** Covers lost hints, and tasks that a request created while its account was disabled. */
const pollMs = 10_000;
/** Pause before a waiting deletion is tried again. */
const againMs = 500;
const chunk = 64;

export type AccountWorkerParts = AccountDeletionsParts;

/** Stops the tasks of disabled accounts, and carries out deletions. */
export class AccountWorker extends Worker {
  readonly #parts: AccountWorkerParts;
  readonly #deletions: AccountDeletions;

  constructor(parts: AccountWorkerParts) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: accountsKey };
    super({ name: 'account-worker', clock, log, pollMs, hint, failure: 'accounts could not be looked after; it is tried again' });
    this.#parts = parts;
    this.#deletions = new AccountDeletions(parts);
  }

  protected async work(): Promise<boolean> {
    const mayBeMore = await this.#stopTasks();
    if (await this.#deletions.run(() => this.isAccepting)) this.wakeIn(againMs);
    return mayBeMore;
  }

  /** True if there may be more. */
  async #stopTasks(): Promise<boolean> {
    const { database, clock } = this.#parts;
    let stopped = 0;
    for (const key of await database.run(findTasksOfDisabled, { limit: chunk })) {
      if (!this.isAccepting) return false;
      try {
        const { isStopped } = await database.run(stopTask, { ...key, now: clock.now() });
        if (isStopped) stopped += 1;
      } catch (error) {
        // Deleted meanwhile.
        if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
      }
    }
    return stopped > 0;
  }
}
