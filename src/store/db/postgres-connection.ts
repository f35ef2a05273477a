import { Client, types } from 'pg';

const int8 = 20;

/** Integers of the schema stay below 2^53, so they are numbers here as they are in SQLite. */
const typeParsers = {
  getTypeParser: (oid: number): ((value: string) => unknown) => (oid === int8 ? Number : types.getTypeParser(oid, 'text')),
};

/**
 * Every statement of the store has an index that serves it, however small the table was when its plan was made; without this
 * a plan from the first seconds of an empty database reads whole tables until statistics catch up.
 */
const plannerSettings = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off';

/** One connection that is made when it is needed and made again after it broke. */
export class PostgresConnection {
  readonly #url: string;
  readonly #onOpen: (client: Client) => Promise<void>;
  #client: Promise<Client> | undefined;

  constructor(url: string, onOpen: (client: Client) => Promise<void> = () => Promise.resolve()) {
    this.#url = url;
    this.#onOpen = onOpen;
  }

  get(): Promise<Client> {
    this.#client ??= this.#open();
    return this.#client;
  }

  async #open(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      types: typeParsers,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      // A connection that answers nothing for this long is taken for dead (a black-holed network says nothing).
      query_timeout: 8000,
      application_name: 'errand',
    });
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      await client.query(plannerSettings);
      await this.#onOpen(client);
      return client;
    } catch (error) {
      forget();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }
}
