import type { Log } from '@errand/base/log.ts';
import type { Database } from '../../store/db/database.ts';
import { failLease, leaveLeases, releaseLeases } from '../../store/tasks/lease-ends.ts';
import { type Lease, leasesPerWrite } from '../../store/tasks/task-leases.ts';

interface LeaseReturnsParts {
  database: Pick<Database, 'run'>;
  log: Log;
  workerId: string;
  /** How long a task pauses after an unexpected error. */
  failurePauseMs: number;
}

/** Ends leases for other reasons than the end of a turn. */
export class LeaseReturns {
  readonly #parts: LeaseReturnsParts;
  /** Leases that could not be released because the store was unavailable. */
  #owed: Lease[] = [];

  constructor(parts: LeaseReturnsParts) {
    this.#parts = parts;
  }

  /** Queues a lease to be released with the next round. */
  owe(lease: Lease): void {
    this.#owed.push(lease);
  }

  /** Releases tasks for the next worker. If the store is unavailable, it logs that and queues them for `payBack`; otherwise they expire. */
  async giveBack(leases: Lease[]): Promise<void> {
    const { database, workerId, log } = this.#parts;
    try {
      await database.run(releaseLeases, { workerId, leases });
    } catch (error) {
      this.#owed.push(...leases);
      log.warn({ err: error }, 'leases could not be given back');
    }
  }

  async payBack(): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    if (owed.length > 0) await this.giveBack(owed);
  }

  /** Records that a task failed unexpectedly. If the store is unavailable, the lease expires, which counts as a failure, too. */
  async reportFailure({ accountId, taskId, fence }: Lease): Promise<void> {
    const { database, log, failurePauseMs: pauseMs } = this.#parts;
    try {
      await database.run(failLease, { accountId, taskId, fence, pauseMs });
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'the failure of a task could not be stored');
    }
  }

  /** Tells the store that this worker stops. Never rejects. */
  async leave(leases: Lease[]): Promise<void> {
    const { database, workerId, log } = this.#parts;
    try {
      for (let from = 0; from < leases.length; from += leasesPerWrite) {
        await database.run(leaveLeases, { workerId, leases: leases.slice(from, from + leasesPerWrite) });
      }
    } catch (error) {
      log.warn({ err: error }, 'the store could not be told that this worker stops');
    }
  }
}
