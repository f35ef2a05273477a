import { Worker } from 'node:worker_threads';
import { Batcher, type Outcome } from '@errand/base/load/batcher.ts';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { LocalDeltas } from '@errand/base/signals/deltas.ts';
import { LocalHints } from '@errand/base/signals/hints.ts';
import { AnnouncingDatabase, type IdempotencyKey } from './database.ts';
import type { StoreOperation } from './store-operation.ts';
import type { NotifySecurityEvent } from './notified-security-events.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { unpackOutcome, type WireBatch, type WireCall, type WalReport, type WireReply } from './sqlite-messages.ts';

interface Flight {
  resolve(outcomes: readonly Outcome<unknown>[]): void;
  reject(error: unknown): void;
}

/** The files of the threads; they know all operations, unlike this layer. */
export interface SqliteThreads {
  thread: URL;
  readerThread: URL;
}

export interface SqliteListeners {
  /** Called when the thread has closed the file. */
  onClosed(): void;
  notify: NotifySecurityEvent | undefined;
  /** Called when copies of the write-ahead log fail, and with null when they work again. */
  reportWal?: ((problem: string | null) => void) | undefined;
}

/** The path of the database, and where its write-ahead log is copied to; null for nowhere. */
export interface SqliteFiles {
  file: string;
  walTarget: string | null;
}

/**
 * The embedded store: one SQLite file, accessed by its own thread, so that an fsync never blocks a request, and by reader threads for reads
 * that would block that thread.
 */
export class SqliteDatabase extends AnnouncingDatabase {
  readonly hints = new LocalHints();
  readonly deltas = new LocalDeltas();
  readonly #clock: Clock;
  readonly #thread: Worker;
  readonly #flights = new Map<number, Flight>();
  readonly #batcher: Batcher<WireCall, unknown>;
  #nextId = 1;
  #death: Error | undefined;
  #closing: Promise<void> | undefined;
  readonly #listeners: SqliteListeners;
  readonly #readers: SqliteReaders;

  constructor(
    { file, walTarget }: SqliteFiles,
    { thread, readerThread }: SqliteThreads,
    clock: Clock,
    listeners: SqliteListeners,
  ) {
    super();
    this.#clock = clock;
    this.#readers = new SqliteReaders(file, readerThread, clock);
    this.#listeners = listeners;
    this.#thread = new Worker(thread, {
      workerData: { file, walTarget },
      // It holds one batch at a time; by default V8 would let the garbage of thousands accumulate.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#thread.on('message', (message: WireReply | WalReport) => {
      if ('walProblem' in message) listeners.reportWal?.(message.walProblem);
      else this.#land(message);
    });
    this.#thread.on('error', (error: Error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('the database thread has ended')));
    this.#thread.unref();
    this.#batcher = new Batcher({
      lanes: 1,
      maxBatch: 256,
      maxWaiting: 20_000,
      keysOf: () => [],
      flush: (calls) => this.#send(calls),
    });
  }

  protected perform<Args>(operation: StoreOperation<Args, unknown>, args: Args, key: IdempotencyKey | null): Promise<unknown> {
    const call = { operation: operation.name, args, idempotency: key };
    const owner = operation.scans?.(args) ?? null;
    if (owner === null) return this.#batcher.submit(call);
    return this.#closing ? Promise.reject(unavailable(new Error('the database was closed'))) : this.#readers.run(owner, call);
  }

  #send(calls: readonly WireCall[]): Promise<readonly Outcome<unknown>[]> {
    return new Promise((resolve, reject) => {
      if (this.#death) return reject(unavailable(this.#death));
      const batch: WireBatch = { id: this.#nextId++, now: this.#clock.now(), calls: [...calls] };
      this.#flights.set(batch.id, { resolve, reject });
      this.#thread.ref();
      this.#thread.postMessage(batch);
    });
  }

  #land(reply: WireReply): void {
    const flight = this.#flights.get(reply.id);
    this.#flights.delete(reply.id);
    if (this.#flights.size === 0) this.#thread.unref();
    for (const event of reply.notified) this.#listeners.notify?.(event);
    flight?.resolve(reply.outcomes.map(unpackOutcome));
  }

  #fail(error: Error): void {
    if (this.#death) return;
    this.#death = error;
    // Without its thread, this process has lost the store; its supervisor restarts it.
    if (!this.#closing) setImmediate(() => raise(error));
    for (const flight of this.#flights.values()) flight.reject(unavailable(this.#death));
    this.#flights.clear();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    // The last connection to close merges the write-ahead log, which only the writer can.
    await this.#readers.close();
    if (!this.#death) {
      await new Promise<void>((resolve) => {
        this.#thread.ref();
        this.#thread.once('exit', () => resolve());
        this.#thread.postMessage('close');
      });
    }
    this.#listeners.onClosed();
  }
}

function unavailable(cause: Error): Fault {
  return new Fault('unavailable', 'The storage is temporarily unavailable; try again.', {
    cause,
    detail: cause.message,
    retryAfterS: 1,
  });
}

function raise(error: Error): never {
  throw error;
}
