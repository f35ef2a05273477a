import type { Clock } from '@errand/base/clock.ts';
import type { RunRows } from '../../agent/agent-ports.ts';
import { LeaseLost } from '../../agent/journal.ts';
import type { PlacedState } from '../../rules/rows/row-work.ts';
import type { Database } from '../../store/db/database.ts';
import { openRowJob, saveRows } from '../../store/tasks/mapped-rows.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';

/** The answers about rows of one task during one run. */
export class LeasedRows implements RunRows {
  readonly #database: Pick<Database, 'run'>;
  readonly #clock: Clock;
  readonly #lease: Lease;

  constructor({ database, clock, lease }: { database: Pick<Database, 'run'>; clock: Clock; lease: Lease }) {
    this.#database = database;
    this.#clock = clock;
    const { accountId, taskId, fence } = lease;
    this.#lease = { accountId, taskId, fence };
  }

  async open(job: string, callId: string): Promise<PlacedState[]> {
    const states = await this.#database.run(openRowJob, { ...this.#lease, job, callId });
    if (states === null) throw new LeaseLost();
    return states;
  }

  async save(job: string, callId: string, states: readonly PlacedState[], cost: number): Promise<void> {
    if (states.length === 0) return;
    const isSaved = await this.#database.run(saveRows, { ...this.#lease, job, callId, now: this.#clock.now(), states, cost });
    if (!isSaved) throw new LeaseLost();
  }
}
