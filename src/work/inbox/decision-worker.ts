import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { decideTimedOut } from '../../store/inbox/decision-timeouts.ts';

/** Shorter than any time limit, so that each is known before it ends. */
const pollMs = 5000;
/** Pause before another look at an item that someone is deciding right now. */
const retryMs = 200;

/** Decides what nobody has decided within the time limit of its task. */
export class DecisionWorker extends Worker {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    super({ name: 'decision-worker', clock, log, pollMs, failure: 'what nobody decided in time could not be decided' });
    this.#database = database;
    this.#clock = clock;
  }

  protected async work(): Promise<boolean> {
    const now = this.#clock.now();
    const { hasMore, nextAtMs } = await this.#database.run(decideTimedOut, { now });
    if (nextAtMs !== null) this.wakeIn(Math.max(retryMs, nextAtMs - now));
    return hasMore;
  }
}
