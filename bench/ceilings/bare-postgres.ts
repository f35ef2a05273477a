import pg from 'pg';
import type { BareDatabase } from './bare-database.ts';
import { defineTables, type Piece, type Statement } from './ceiling-work.ts';

const connections = 2;
/** Concurrent reads on all connections together: as many as the load has. */
const readLanes = 32;
const marker = ' VALUES ';

/** Inserts into one table as one statement of many rows, which is the fastest way into PostgreSQL short of COPY. */
function mergeInserts(statements: readonly Statement[]): Statement[] {
  const groups = Map.groupBy(statements, ({ sql }) => sql);
  return [...groups].flatMap(([sql, group]) => {
    const [head, row] = sql.split(marker);
    if (row === undefined) return group;
    const rows = group.map(() => row).join(', ');
    return [{ sql: `${head}${marker}${rows}`, params: group.flatMap(({ params }) => params) }];
  });
}

function numberParameters(sql: string): string {
  let index = 0;
  return sql.replaceAll('?', () => `$${++index}`);
}

class BarePostgres implements BareDatabase {
  readonly lanes = readLanes;
  readonly #clients: readonly pg.Client[];
  readonly #prepared = new Map<string, { name: string; text: string }>();
  #next = 0;

  constructor(clients: readonly pg.Client[]) {
    this.#clients = clients;
  }

  async write(batch: readonly Piece[]): Promise<void> {
    const client = this.#choose();
    const begun = client.query('BEGIN');
    const statements = mergeInserts(batch.flat()).map((statement) => this.#execute(client, statement));
    await Promise.all([begun, ...statements, client.query('COMMIT')]);
  }

  async read(piece: Piece): Promise<void> {
    const client = this.#choose();
    await Promise.all(piece.map((statement) => this.#execute(client, statement)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  #choose(): pg.Client {
    const client = this.#clients[this.#next++ % this.#clients.length];
    if (!client) throw new Error('there is no connection');
    return client;
  }

  #execute(client: pg.Client, { sql, params }: Statement): Promise<unknown> {
    const prepared = this.#prepared.get(sql) ?? { name: `s${this.#prepared.size}`, text: numberParameters(sql) };
    this.#prepared.set(sql, prepared);
    return client.query({ ...prepared, values: params });
  }
}

/** The pg driver, pipelined over prepared statements; the server decides how durable a commit is. */
export async function openBarePostgres(url: string): Promise<BareDatabase> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url, pipeline: true }));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]?.query(defineTables('TEXT COLLATE "C"', ''));
  // The service does this too: otherwise PostgreSQL keeps a full scan that it planned while the table was still empty.
  await Promise.all(clients.map((client) => client.query('SET enable_seqscan = off')));
  return new BarePostgres(clients);
}
