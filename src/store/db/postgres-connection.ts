import { Client, types } from 'pg';

/**
 * Values as SQLite has them: whole numbers, which in the schema stay below 2^53, their sums, and 1 or 0 for what is true or not. So
 * no reader of a row knows which database gave it.
 */
const parsers = new Map<number, (value: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
  [types.builtins.BOOL, (value) => (value === 't' ? 1 : 0)],
]);

const typeParsers = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? (types.getTypeParser(oid, 'text') as (value: string) => unknown),
};

/**
 * Every statement of the store has an index that serves it, however small the table was when its plan was made; without this
 * a plan from the first seconds of an empty database reads whole tables until statistics catch up.
 */
const plannerSettings = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off';

/**
 * A process that is paused in the middle of a transaction must not hold up the others: its locks are taken back before its
 * leases run out. No transaction waits for anything but the database, so none that lives is idle for so long.
 */
const transactionSettings = "SET idle_in_transaction_session_timeout = '5s'";

/** One connection that is made when it is needed and made again after it broke. */
export class PostgresConnection {
  readonly #url: string;
  readonly #onOpen: (client: Client) => Promise<void>;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(url: string, onOpen: (client: Client) => Promise<void> = () => Promise.resolve()) {
    this.#url = url;
    this.#onOpen = onOpen;
  }

  get(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error('the connection was closed'));
    if (!this.#client) {
      // A connection that ends late must not make the next one forgotten.
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
      // A connection that answers nothing for this long is taken for dead (a black-holed network says nothing). It is longer
      // than a paused process can hold a lock; a call that had to wait for both a silent and a new connection ends within 10 s.
      query_timeout: 6000,
      application_name: 'errand',
    });
    client.on('error', onGone);
    client.on('end', onGone);
    try {
      await client.connect();
      await client.query(`${plannerSettings}; ${transactionSettings}`);
      await this.#onOpen(client);
      return client;
    } catch (error) {
      onGone();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** For good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }
}
