import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { budgetsKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { resumeDue } from '../../store/tasks/reply-budgets.ts';

/** Time between rounds without hints, and so the longest delay before a new period is noticed. */
const pollMs = 10_000;

/** Resumes tasks whose budget has begun a new period or was raised. */
export class BudgetWorker extends Worker {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    const hint = { hints: database.hints, key: budgetsKey };
    super({ name: 'budget-worker', clock, log, pollMs, hint, failure: 'tasks that wait for a budget could not be resumed' });
    this.#database = database;
    this.#clock = clock;
  }

  protected async work(): Promise<boolean> {
    return (await this.#database.run(resumeDue, { now: this.#clock.now() })).hasMore;
  }
}
