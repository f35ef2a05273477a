import { createHash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { PostgresConnection } from '../../db/postgres-connection.ts';

/** The advisory locks of workers; any number, the same in every process. */
const lockClass = 0x4572;
const rejoinMs = 100;
/** Longer than any wait; the driver's own limit is for connections that have gone silent. */
const foreverMs = 2 ** 31 - 1;

/** Overrides timeouts that the server may set for all sessions, which must not end this one. */
const lastingSession = 'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0';

/** The key of a lock, unsigned, as the server lists it. */
function keyOf(workerId: string): number {
  return createHash('sha256').update(workerId).digest().readUInt32BE();
}

export interface Present {
  has(workerId: string): boolean;
  /** The worker to wait for, which is the next one in a ring of all workers. Null if this is the only one. */
  next: number | null;
  /** How long ago the server started, which ended all sessions, including those of living workers. */
  serverAgeMs: number;
}

/**
 * Which worker processes are alive, according to the database server: each holds an advisory lock in a session of its own, and when the
 * process dies, the server ends the session and releases the lock within milliseconds.
 *
 * The proof holds only for direct connections. Behind a pooler a session belongs to the pooler, which keeps it or ends it as it likes.
 */
export class PostgresPresence {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #holder: PostgresConnection;
  readonly #announce: () => void;
  #key: number | null = null;
  #isDirect = true;
  #rejoinTimer: Timer | undefined;
  #isClosed = false;

  /** @param announce called each time this process has joined, so that others look at the workers again */
  constructor(url: string, clock: Clock, announce: () => void) {
    this.#url = url;
    this.#clock = clock;
    this.#announce = announce;
    this.#holder = new PostgresConnection(url, { onOpen: (client) => this.#hold(client) });
  }

  /** Announces the end of this process to others when it comes; false if a pooler between it and the server makes that impossible. */
  async join(workerId: string): Promise<boolean> {
    this.#key = keyOf(workerId);
    await this.#holder.get();
    return this.#isDirect;
  }

  async #hold(client: Client): Promise<void> {
    if (this.#key === null) return;
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // A pooler invents the process id that it tells its clients.
    this.#isDirect = rows[0]?.pid === processIdOf(client);
    if (!this.#isDirect) return;
    await client.query(lastingSession);
    const lock = 'SELECT CASE WHEN pg_try_advisory_lock($1, $2) THEN 1 ELSE 0 END AS held';
    const taken = await client.query<{ held: number }>(lock, [lockClass, this.#key | 0]);
    client.on('end', () => this.#rejoinSoon());
    // The server has not noticed yet that an earlier session of this process ended, or another process looks at the lock.
    if (taken.rows[0]?.held !== 1) throw new Error('the lock of this worker is taken');
    this.#announce();
  }

  #rejoinSoon(): void {
    if (this.#isClosed) return;
    this.#rejoinTimer?.cancel();
    this.#rejoinTimer = this.#clock.setTimer(() => void this.#holder.get().catch(() => this.#rejoinSoon()), rejoinMs);
  }

  /** The workers whose sessions the server has now. */
  async listPresent(): Promise<Present> {
    const client = await this.#holder.get();
    const { rows } = await client.query<{ key: number | null; age: number }>(
      `SELECT objid::bigint AS key, (EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint AS age
       FROM (VALUES (1)) AS always LEFT JOIN pg_locks ON locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
       AND mode = 'ExclusiveLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [lockClass],
    );
    const keys = rows.flatMap(({ key }) => key ?? []).toSorted((a, b) => a - b);
    const others = keys.filter((key) => key !== this.#key);
    return {
      has: (workerId) => keys.includes(keyOf(workerId)),
      next: others.find((key) => key > (this.#key ?? 0)) ?? others[0] ?? null,
      serverAgeMs: rows[0]?.age ?? 0,
    };
  }

  /** Waits until that worker's session has ended. False if aborted before; rejects if the waiting connection is lost. */
  async waitForEnd(key: number, signal: AbortSignal): Promise<boolean> {
    // Its own connection each time, so that no lock is left in one.
    const connection = new PostgresConnection(this.#url, { onOpen: watchClients });
    const client = await connection.get();
    const cancel = () => void this.#cancel(client);
    signal.addEventListener('abort', cancel);
    try {
      if (signal.aborted) return false;
      const lock: QueryConfig & { query_timeout: number } = {
        text: 'SELECT pg_advisory_lock_shared($1, $2)',
        values: [lockClass, key | 0],
        query_timeout: foreverMs,
      };
      await client.query(lock);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      await connection.close();
    }
  }

  async #cancel(waiting: Client): Promise<void> {
    try {
      const client = await this.#holder.get();
      await client.query('SELECT pg_cancel_backend($1)', [processIdOf(waiting)]);
    } catch {
      // Without the server there is nothing to wait for either.
    }
  }

  /** Ends the presence: from now on, others consider this process dead. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejoinTimer?.cancel();
    await this.#holder.close();
  }
}

function processIdOf(client: Client): number | null {
  return (client as Client & { processID: number | null }).processID;
}

/** A wait must not outlive its process, which the server would not notice while it waits for the lock. Some platforms cannot do that. */
async function watchClients(client: Client): Promise<void> {
  await client.query(lastingSession);
  await client.query("SET client_connection_check_interval = '5s'").catch(() => undefined);
}
