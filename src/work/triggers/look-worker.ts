import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { claimLooks, type ClaimLooksArgs, type Look } from '../../store/triggers/watched-folders.ts';

const pollMs = 5000;
/** Longer than a page of a list and the bytes of an object may take; after it, another worker may begin a look. */
export const bucketLeaseMs = 600_000;
/** Places that a process looks at at once, and how many of them may be of one account. */
const [concurrency, mostOfOne] = [4, 2];

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
  readonly #log: Log;
  /** The accounts of the places that it looks at. */
  readonly #looking: string[] = [];

  constructor({ database, clock, log, drainMs }: LookWorkerParts, claiming: Pick<ClaimLooksArgs, 'type' | 'leaseMs'>) {
    const { type } = claiming;
    super({ name: `${type}-worker`, clock, log, pollMs, drainMs, failure: `watched ${type}s could not be claimed` });
    this.#claiming = claiming;
    this.#database = database;
    this.#log = log;
  }

  /** One look, whose end is stored when this resolves. */
  protected abstract look(look: Look): Promise<void>;

  protected async work(): Promise<boolean> {
    const slots = concurrency - this.#looking.length;
    const args = { ...this.#claiming, slots, busy: [...this.#looking], mostOfOne };
    const looks = slots > 0 ? await this.#database.run(claimLooks, args) : [];
    for (const look of looks) {
      const { accountId } = look.trigger;
      this.#looking.push(accountId);
      const warn = (error: unknown) =>
        this.#log.warn({ err: error, trigger_id: look.trigger.id }, 'the end of a look could not be stored');
      const ended = this.look(look)
        .catch(warn)
        .finally(() => {
          this.#looking.splice(this.#looking.indexOf(accountId), 1);
          this.wakeIn(1);
        });
      this.track(ended);
    }
    return false;
  }
}

/** Looks at watched buckets. Most services have none, so what looks is loaded with the first that is due. */
export class BucketWorker extends LookWorker {
  readonly #lookAt: (look: Look, signal: AbortSignal) => Promise<void>;

  constructor(parts: LookWorkerParts, lookAt: (look: Look, signal: AbortSignal) => Promise<void>) {
    super(parts, { type: 'bucket', leaseMs: bucketLeaseMs });
    this.#lookAt = lookAt;
  }

  protected look(look: Look): Promise<void> {
    return this.#lookAt(look, this.signal);
  }
}
