import { Client, types } from 'pg';

/**
 * Reads values as SQLite returns them: integers, which in the schema stay below 2^53, their sums, and 1 or 0 for booleans. So readers of a
 * row need not know the engine.
 */
const parsers = new Map<number, (value: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
  [types.builtins.BOOL, (value) => (value === 't' ? 1 : 0)],
]);

/** Type parsers for other connections that read the same values. */
export const typeParsers = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? (types.getTypeParser(oid, 'text') as (value: string) => unknown),
};

/**
 * Settings of every connection of the store. Behind a pooler they belong to the role instead, because a session there serves many clients.
 *
 * Every statement of the store has a matching index, however small the table was when it was planned; without this setting a plan made on
 * an empty database scans whole tables until statistics catch up.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // A process that is paused in mid-transaction must not block others: its locks are released before its leases expire. Transactions wait
  // only for the database, so otherwise none is idle for that long.
  idle_in_transaction_session_timeout: '5s',
};

const setAll = Object.entries(sessionSettings)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

const ownSessions = new WeakSet<Client>();

/** Whether the connection has a session of its own, in which prepared statements last; false behind a pooler. */
export function hasOwnSession(client: Client): boolean {
  return ownSessions.has(client);
}

export interface PostgresConnectionOptions {
  /** Runs on each new connection before it is used. */
  onOpen?: (client: Client) => Promise<void>;
  /** Whether the connection goes through a pooler in transaction mode. */
  isPooled?: boolean;
}

/** A connection that is opened on demand and reopened after it breaks. */
export class PostgresConnection {
  readonly #url: string;
  readonly #onOpen: (client: Client) => Promise<void>;
  readonly #isPooled: boolean;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(url: string, { onOpen = () => Promise.resolve(), isPooled = false }: PostgresConnectionOptions = {}) {
    this.#url = url;
    this.#onOpen = onOpen;
    this.#isPooled = isPooled;
  }

  get(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error('the connection was closed'));
    if (!this.#client) {
      // A connection that closes late must not clear its successor.
      const client = this.#open(() => {
        if (this.#client === client) this.#client = undefined;
      });
      this.#client = client;
    }
    return this.#client;
  }

  async #open(onGone: () => void): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      types: typeParsers,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 3000,
      // A connection that does not respond for this long is considered dead (a black-holed network reports nothing). It is longer than a
      // paused process can hold a lock; a call that waits for a silent and then a new connection ends within 10 s.
      query_timeout: 6000,
      application_name: 'errand',
    });
    client.on('error', onGone);
    client.on('end', onGone);
    try {
      await client.connect();
      if (!this.#isPooled) {
        await client.query(setAll);
        ownSessions.add(client);
      }
      await this.#onOpen(client);
      return client;
    } catch (error) {
      onGone();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Closes the connection permanently. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }
}
