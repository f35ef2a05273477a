import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { workersKey } from '@errand/base/signals/hints.ts';
import { type JobState, Worker } from '@errand/base/worker.ts';
import type { Database } from '../../store/db/database.ts';
import { keepWorker, removeWorker, type WorkerMachine } from '../../store/tasks/workers/workers.ts';

export interface WorkerRegistrationParts {
  database: Database;
  clock: Clock;
  log: Log;
  workerId: string;
  host: string;
  concurrency: number;
  /** Reads the state of the worker's machine. */
  readMachine(): Promise<WorkerMachine>;
  /** What the background jobs of the process last did, this one among them. */
  readJobs(): readonly JobState[];
  /** Whether no other process can have the store open. Then only hints can bring something new, and nobody checks which workers live. */
  isAlone: boolean;
  worker: { setDraining(isDraining: boolean): void };
}

/** How often a worker reports that it runs. This also bounds how late it notices a lost hint. */
const beatMs = 15_000;
const aloneBeatMs = 60_000;
/** A worker that has missed this many reports counts as ended. */
const missedBeats = 4;

/** Registers a worker of the instance while it runs, and drains it when the operator says so. */
export class WorkerRegistration extends Worker {
  readonly #parts: WorkerRegistrationParts;
  readonly #beatMs: number;
  #isDraining = false;

  constructor(parts: WorkerRegistrationParts) {
    const { database, clock, log, isAlone } = parts;
    const pollMs = isAlone ? aloneBeatMs : beatMs;
    const hint = { hints: database.hints, key: workersKey };
    super({ name: 'worker-registration', clock, log, pollMs, hint, failure: 'this worker could not be listed' });
    this.#parts = parts;
    this.#beatMs = pollMs;
  }

  protected async work(): Promise<boolean> {
    const { database, workerId, host, concurrency, readMachine, readJobs, worker, log } = this.#parts;
    const ttlMs = missedBeats * this.#beatMs;
    const machine = await readMachine();
    // That it is listed says that this job works.
    const jobs = readJobs().filter(({ name }) => name !== this.name);
    const isDraining = await database.run(keepWorker, { workerId, host, concurrency, ttlMs, ...machine, jobs });
    if (isDraining === this.#isDraining) return false;
    this.#isDraining = isDraining;
    worker.setDraining(isDraining);
    log.info({ worker_id: workerId }, isDraining ? 'draining: this worker takes no tasks' : 'this worker takes tasks again');
    return false;
  }

  override async stop(): Promise<void> {
    await super.stop();
    const { database, workerId, log } = this.#parts;
    try {
      await database.run(removeWorker, workerId);
    } catch (error) {
      log.warn({ err: error }, 'this worker could not be taken off the list; it ends by itself within a minute');
    }
  }
}
