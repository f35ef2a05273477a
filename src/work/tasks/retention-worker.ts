import type { Clock } from '@errand/base/clock.ts';
import { firstIdAt } from '@errand/base/ids.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import {
  deleteExpiredTask,
  listAccountsAfter,
  listExpiredTasks,
  type RetainingAccount,
  takeRetentionTurn,
} from '../../store/tasks/expired-tasks.ts';

export interface RetentionWorkerParts {
  database: Database;
  clock: Clock;
  log: Log;
  /** How long a task is kept after its end if neither its account nor its project says; null forever. */
  retentionMs: number | null;
}

/** How often old tasks are looked for, by one of all processes. */
const everyMs = 60 * 60_000;
const accountsAtOnce = 256;
const tasksAtOnce = 256;

/**
 * Deletes tasks that ended longer ago than the operator, or the owner of their project, wants to keep them. A turn steps through the accounts and their old tasks in the
 * order of their keys, in small reads, and deletes one task in each transaction.
 */
export class RetentionWorker extends Worker {
  readonly #parts: RetentionWorkerParts;
  /** A turn of this process failed: the next round continues it, and takes none. */
  #isUnfinished = false;

  constructor(parts: RetentionWorkerParts) {
    const { clock, log } = parts;
    super({
      name: 'retention-worker',
      clock,
      log,
      pollMs: everyMs,
      failure: 'old tasks could not be deleted; it is tried again',
    });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, log, retentionMs } = this.#parts;
    if (!this.#isUnfinished && !(await database.run(takeRetentionTurn, { everyMs }))) return false;
    this.#isUnfinished = true;
    let deleted = 0;
    for (let afterAccount: string | null = ''; afterAccount !== null; ) {
      const args = { afterAccount, retentionMs, limit: accountsAtOnce };
      const accounts: RetainingAccount[] = await database.run(listAccountsAfter, args);
      for (const account of accounts) deleted += await this.#sweep(account);
      afterAccount = accounts.length === accountsAtOnce && this.isAccepting ? (accounts.at(-1)?.accountId ?? null) : null;
    }
    this.#isUnfinished = false;
    if (deleted > 0) log.info({ deleted }, 'tasks whose retention had ended were deleted');
    return false;
  }

  /** Deletes the expired tasks of an account; returns how many. */
  async #sweep({ accountId, shortestMs }: RetainingAccount): Promise<number> {
    const { database, clock, retentionMs } = this.#parts;
    const beforeId = firstIdAt(clock.now() - shortestMs);
    let deleted = 0;
    for (let afterId: string | null = ''; afterId !== null && this.isAccepting; ) {
      const args = { accountId, afterId, beforeId, retentionMs, limit: tasksAtOnce };
      const page: { taskIds: string[]; nextId: string | null } = await database.run(listExpiredTasks, args);
      for (const taskId of page.taskIds) {
        if (!this.isAccepting) return deleted;
        if (await database.run(deleteExpiredTask, { accountId, taskId, retentionMs })) deleted += 1;
      }
      afterId = page.nextId;
    }
    return deleted;
  }
}
