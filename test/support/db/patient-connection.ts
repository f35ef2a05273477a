import { Client } from 'pg';
import { sessionSettings, typeParsers } from '../../../src/store/db/postgres-connection.ts';

/** A machine that runs many tests can leave a process without its turn for longer than the service would wait. */
const patienceMs = 60_000;

/** A test's own look at a database: it is reopened after it breaks, and waits much longer than the service does. */
export class PatientConnection {
  readonly #url: string;
  #client: Promise<Client> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const client = await (this.#client ??= this.#open());
    return (await client.query<Row>(text, [...values])).rows;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    this.#client = null;
    await client?.end();
  }

  async #open(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      types: typeParsers,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      // Read by the server when the connection begins.
      options: Object.entries(sessionSettings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      application_name: 'a test',
    });
    const drop = () => (this.#client = null);
    client.on('error', drop).on('end', drop);
    try {
      await client.connect();
      return client;
    } catch (error) {
      drop();
      await client.end().catch(() => undefined);
      throw error;
    }
  }
}
