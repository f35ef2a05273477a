import type { Log } from '@errand/base/log.ts';
import type { Database } from '../../store/db/database.ts';
import { failLease, leaveLeases, releaseLeases } from '../../store/tasks/lease-ends.ts';
import { type Lease, leasesPerWrite } from '../../store/tasks/task-leases.ts';

interface LeaseReturnsParts {
  database: Pick<Database, 'run'>;
  log: Log;
  workerId: string;
  /** How long a task pauses that failed by an error of its own. */
  failurePauseMs: number;
}

/** How a worker gives up leases other than by the end of a turn. */
export class LeaseReturns {
  readonly #parts: LeaseReturnsParts;
  /** Tasks that could not be released during a store outage. */
  #owed: Lease[] = [];

  constructor(parts: LeaseReturnsParts) {
    this.#parts = parts;
  }

  /** Notes one to release as soon as possible. */
  owe(lease: Lease): void {
    this.#owed.push(lease);
  }

  /** Releases tasks for the next worker, waiting for the store if necessary; at the latest their leases expire. */
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

  /** If the store does not learn of it, the lease expires, which counts as well. */
  async reportFailure({ accountId, taskId, fence }: Lease): Promise<void> {
    const { database, log, failurePauseMs: pauseMs } = this.#parts;
    try {
      await database.run(failLease, { accountId, taskId, fence, pauseMs });
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'the failure of a task could not be stored');
    }
  }

  /** Tells that this worker stops. Never rejects. */
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
