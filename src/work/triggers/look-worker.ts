import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { claimLooks, type ClaimLooksArgs, type Look } from '../../store/triggers/watched-folders.ts';

const pollMs = 5000;
/** Places that a process looks at at once. */
const concurrency = 4;

export interface LookWorkerParts {
  database: Database;
  clock: Clock;
  log: Log;
  drainMs: number;
}

/** Looks at the watched places of one type when they are due, a few at once. */
export abstract class LookWorker extends Worker {
  readonly #claiming: Pick<ClaimLooksArgs, 'type' | 'leaseMs'>;
  readonly #database: Database;
  #looking = 0;

  constructor({ database, clock, log, drainMs }: LookWorkerParts, claiming: Pick<ClaimLooksArgs, 'type' | 'leaseMs'>) {
    const { type } = claiming;
    super({ name: `${type}-worker`, clock, log, pollMs, drainMs, failure: `watched ${type}s could not be claimed` });
    this.#claiming = claiming;
    this.#database = database;
  }

  /** One look, whose end is stored when this resolves. Must not reject. */
  protected abstract look(look: Look): Promise<void>;

  protected async work(): Promise<boolean> {
    const slots = concurrency - this.#looking;
    const looks = slots > 0 ? await this.#database.run(claimLooks, { ...this.#claiming, slots }) : [];
    for (const look of looks) {
      this.#looking += 1;
      const ended = this.look(look).finally(() => {
        this.#looking -= 1;
        this.wakeIn(1);
      });
      this.track(ended);
    }
    return false;
  }
}
