import { Batcher, type Outcome } from '@errand/base/load/batcher.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { SecurityEvent } from '../../rules/accounts/security-event.ts';
import { runRemembered } from './idempotency-keys.ts';
import { AnnouncingDatabase, type IdempotencyKey } from './database.ts';
import { compareText, type StoreOperation, type Script } from './store-operation.ts';
import { runExclusive, runScript, runTogether } from './postgres-batch.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { PostgresDeltas } from './signals/postgres-deltas.ts';
import { collectSecurityEvents, type NotifySecurityEvent } from './notified-security-events.ts';
import { translateError } from './postgres-fault.ts';
import { PostgresHints } from './signals/postgres-hints.ts';
import { PostgresScans } from './postgres-scans.ts';

const writeLanes = 2;
const readLanes = 2;

interface Job {
  keys: readonly string[];
  start(): Script<unknown>;
}

export interface PostgresOptions {
  /** Called with the security events written by this process. */
  notify?: NotifySecurityEvent;
  /** URL of the same database through a pooler in transaction mode; null to send all statements directly. */
  poolUrl?: string | null;
  /** Time limit of a costly read. */
  scanLimitMs?: number;
}

/** The store on a PostgreSQL server, shared by any number of processes. */
export class PostgresDatabase extends AnnouncingDatabase {
  readonly deltas: PostgresDeltas;
  readonly #hints: PostgresHints;
  readonly #writers: PostgresConnection[];
  readonly #readers: PostgresConnection[];
  readonly #lone: PostgresConnection;
  /** A connection for lease renewals: if they had to wait for other work, running tasks would be lost to other processes. */
  readonly #priority: PostgresConnection;
  readonly #lanes: Record<'write' | 'exclusive' | 'priority', Batcher<Job, unknown>>;
  readonly #notify: NotifySecurityEvent;
  readonly #scans: PostgresScans;
  #nextReader = 0;

  constructor(url: string, clock: Clock, options: PostgresOptions = {}) {
    super();
    const { notify = () => undefined, poolUrl = null, scanLimitMs = 5000 } = options;
    const connect = () => new PostgresConnection(poolUrl ?? url, { isPooled: poolUrl !== null });
    this.#scans = new PostgresScans(connect, clock, scanLimitMs);
    this.#notify = notify;
    this.#hints = new PostgresHints(url, clock);
    this.deltas = new PostgresDeltas(url, clock, () => this.#hints.isAlone);
    this.#writers = Array.from({ length: writeLanes }, connect);
    this.#readers = Array.from({ length: readLanes }, connect);
    this.#lone = connect();
    this.#priority = connect();
    const write = new Batcher<Job, unknown>({
      lanes: writeLanes,
      maxBatch: 128,
      maxWaiting: 20_000,
      keysOf: (job) => job.keys,
      flush: (jobs, lane) => this.#flush(jobs, lane),
    });
    this.#lanes = { write, exclusive: createLoneLane(this.#lone), priority: createLoneLane(this.#priority) };
  }

  get hints(): Hints {
    return this.#hints;
  }

  /** Starts listening for other processes. */
  open(): void {
    this.#hints.open();
  }

  protected perform<Args>(operation: StoreOperation<Args, unknown>, args: Args, key: IdempotencyKey | null): Promise<unknown> {
    const keys = operation.keys?.(args) ?? [];
    if (key !== null) {
      const remembering = {
        keys: [`key:${key.accountId}:${key.key}`, ...keys],
        start: () => runRemembered(operation, args, key),
      };
      return this.#write('write', remembering);
    }
    const scanner = operation.scans?.(args) ?? null;
    if (scanner !== null) return this.#scans.run(scanner, () => operation.run(args));
    const job = { keys, start: () => operation.run(args) };
    return operation.access === 'read' ? this.#read(job) : this.#write(operation.access, job);
  }

  async #write(lane: 'write' | 'exclusive' | 'priority', job: Job): Promise<unknown> {
    const notified: SecurityEvent[] = [];
    const result = await this.#lanes[lane].submit({ ...job, start: () => collectSecurityEvents(job.start(), notified) });
    for (const event of notified) this.#notify(event);
    return result;
  }

  async #read(job: Job): Promise<unknown> {
    const connection = this.#readers[this.#nextReader++ % readLanes] ?? this.#lone;
    try {
      return await runScript(await connection.get(), job.start());
    } catch (error) {
      throw translateError(error);
    }
  }

  /**
   * A batch locks rows in key order, so that two batches do not deadlock. If they still do (a write with an `Idempotency-Key` locks that
   * first), the server aborts one and the batch is rerun one by one.
   */
  async #flush(jobs: readonly Job[], lane: number): Promise<readonly Outcome<unknown>[]> {
    const connection = this.#writers[lane] ?? this.#lone;
    const client = await connection.get().catch((error: unknown) => {
      throw translateError(error);
    });
    const order = jobs.map((_, index) => index).toSorted((a, b) => compareText(jobs[a]?.keys[0] ?? '', jobs[b]?.keys[0] ?? ''));
    const sorted = order.flatMap((index) => jobs[index] ?? []);
    const outcomes: Outcome<unknown>[] = [];
    const together =
      sorted.length > 1
        ? await runTogether(
            client,
            sorted.map((job) => job.start()),
          ).catch(rethrow)
        : null;
    for (const [at, index] of order.entries()) {
      const job = sorted[at];
      const outcome = together ? together[at] : job && (await attempt(() => runExclusive(client, job.start())));
      if (outcome) outcomes[index] = outcome;
    }
    return outcomes;
  }

  async close(): Promise<void> {
    await this.#scans.close();
    const connections = [...this.#writers, ...this.#readers, this.#lone, this.#priority];
    await Promise.all(connections.map((connection) => connection.close()));
    await Promise.all([this.#hints.close(), this.deltas.close()]);
  }
}

/** Runs transactions of their own, one after the other. */
function createLoneLane(connection: PostgresConnection): Batcher<Job, unknown> {
  return new Batcher({
    lanes: 1,
    maxBatch: 1,
    keysOf: () => [],
    flush: (jobs) => Promise.all(jobs.map((job) => attempt(async () => runExclusive(await connection.get(), job.start())))),
  });
}

async function attempt(run: () => Promise<unknown>): Promise<Outcome<unknown>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: translateError(error) };
  }
}

function rethrow(error: unknown): never {
  throw translateError(error);
}
