import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import { toPostgres } from '../../../src/store/db/dialect.ts';
import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { PostgresConnection } from '../../../src/store/db/postgres-connection.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import type { ModelServer } from '../models/model-server.ts';
import { createDatabase, createMigratedDatabase, dropDatabase } from '../db/postgres.ts';
import { ServiceClient } from './service-client.ts';
import { ServiceProcess } from './supervisor.ts';

/** How the service is run: one process on either database, or an API process and two workers on PostgreSQL. */
export type Shape = 'sqlite' | 'postgres' | 'api and two workers';

export interface DeploymentOptions {
  model?: ModelServer;
  env?: Record<string, string>;
  /** A PostgreSQL server of the test's own in place of the shared one. */
  serverUrl?: string;
  /** The way that the service takes to the database, when it is not the straight one. */
  route?: (databaseUrl: string) => string;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isBound = await Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)]);
  probe.close();
  return isBound;
}

/** A port that no outgoing connection is given while its service is down between two lives. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** A whole service of one or several processes on one database, with a way to look behind it. */
export class Deployment {
  readonly shape: Shape;
  readonly dataDir: string;
  readonly client: ServiceClient;
  /** The process that answers requests; it also works, unless there are workers. */
  readonly api: ServiceProcess;
  readonly workers: readonly ServiceProcess[];
  readonly #databaseUrl: string | null;
  readonly #direct: PostgresConnection | null;

  private constructor(
    shape: Shape,
    dataDir: string,
    databaseUrl: string | null,
    processes: readonly [ServiceProcess, ...ServiceProcess[]],
  ) {
    const [api, ...workers] = processes;
    this.shape = shape;
    this.dataDir = dataDir;
    this.api = api;
    this.workers = workers;
    this.client = new ServiceClient({ url: api.url, apiKey: api.apiKey });
    this.#databaseUrl = databaseUrl;
    this.#direct = databaseUrl === null ? null : new PostgresConnection(databaseUrl);
  }

  static async start(shape: Shape, { model, env = {}, serverUrl, route }: DeploymentOptions = {}): Promise<Deployment> {
    const dataDir = createFolder('deployment');
    const create = () => (serverUrl === undefined ? createMigratedDatabase() : createDatabase(serverUrl));
    const databaseUrl = shape === 'sqlite' ? null : await create();
    const common = {
      ...(model && { ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl }),
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: route?.(databaseUrl) ?? databaseUrl }),
      ERRAND_PORT: String(await findQuietPort()),
      ERRAND_CONTENT_PORT: String(await findQuietPort()),
      ERRAND_SECRET: 'a secret of crash tests',
      ERRAND_RATE_LIMITS: 'off',
      // Dear enough that a token charged twice, or not at all, is seen in whole credits.
      ERRAND_PRICES: '{"service-1.6":{"input":100000,"output":400000}}',
      ERRAND_LOG: 'warn',
      ...env,
    };
    const role = shape === 'api and two workers' ? 'api' : 'all';
    const api = await ServiceProcess.start({ dataDir, env: common, args: ['--role', role] });
    const startWorker = () => ServiceProcess.start({ dataDir, env: common, args: ['--role', 'worker'] });
    const workers = role === 'api' ? await Promise.all([startWorker(), startWorker()]) : [];
    return new Deployment(shape, dataDir, databaseUrl, [api, ...workers]);
  }

  /** Settings with which a command finds this service's data. */
  get commandEnv(): Record<string, string> {
    return {
      ERRAND_DATA_DIR: this.dataDir,
      ERRAND_SECRET: 'a secret of crash tests',
      ...(this.#databaseUrl !== null && { ERRAND_DATABASE_URL: this.#databaseUrl }),
    };
  }

  get processes(): readonly ServiceProcess[] {
    return [this.api, ...this.workers];
  }

  /** Both workers of a deployment that has two. */
  get twoWorkers(): readonly [ServiceProcess, ServiceProcess] {
    const [first, second] = this.workers;
    if (!first || !second) throw new Error(`no two workers in ${this.shape}`);
    return [first, second];
  }

  /** Plain SQL past the service, `?` for parameters; on SQLite for reading only, also while the service is down. */
  async query(text: string, ...params: SqlValue[]): Promise<RowValues[]> {
    if (this.#direct) return (await (await this.#direct.get()).query<RowValues>(toPostgres(text), params)).rows;
    const database = new DatabaseSync(join(this.dataDir, databaseFile), { readOnly: true, timeout: 10_000 });
    try {
      return database.prepare(text).all(...params) as RowValues[];
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end()));
    await this.#direct?.close();
    if (this.#databaseUrl !== null) await dropDatabase(this.#databaseUrl);
    removeFolder(this.dataDir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
