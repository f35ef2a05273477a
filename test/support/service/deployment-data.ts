import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import { toPostgres } from '../../../src/store/db/dialect.ts';
import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';
import { createDataFolder } from './data-folder.ts';
import type { ModelServer } from '../models/model-server.ts';
import { PatientConnection } from '../db/patient-connection.ts';
import { createDatabase, createMigratedDatabase, dropDatabase } from '../db/postgres.ts';

export interface DeploymentOptions {
  model?: ModelServer;
  env?: Record<string, string>;
  /** A PostgreSQL server of the test's own in place of the shared one. */
  serverUrl?: string;
  /** The way that the service takes to the database, when it is not the straight one. */
  route?: (databaseUrl: string) => string;
}

const secret = 'a secret of crash tests';

/** The data folder and the database of a deployment, its settings, and a way to look behind it. */
export class DeploymentData {
  readonly folder: string;
  /** Settings of its processes, without ports. */
  readonly env: Record<string, string>;
  readonly #databaseUrl: string | null;
  readonly #direct: PatientConnection | null;

  private constructor(folder: string, databaseUrl: string | null, { model, env = {}, route }: DeploymentOptions) {
    this.folder = folder;
    this.#databaseUrl = databaseUrl;
    this.#direct = databaseUrl === null ? null : new PatientConnection(databaseUrl);
    this.env = {
      ...(model && { ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl }),
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: route?.(databaseUrl) ?? databaseUrl }),
      ERRAND_SECRET: secret,
      ERRAND_RATE_LIMITS: 'off',
      // Dear enough that a token charged twice, or not at all, is seen in whole credits.
      ERRAND_PRICES: '{"service-1.6":{"input":100000,"output":400000}}',
      ERRAND_LOG: 'warn',
      ...env,
    };
  }

  static async create(kind: 'sqlite' | 'postgres', options: DeploymentOptions): Promise<DeploymentData> {
    const { serverUrl } = options;
    const create = () => (serverUrl === undefined ? createMigratedDatabase() : createDatabase(serverUrl));
    return new DeploymentData(
      kind === 'sqlite' ? createDataFolder('deployment') : createFolder('deployment'),
      kind === 'sqlite' ? null : await create(),
      options,
    );
  }

  /** Settings with which a command finds this data. */
  get commandEnv(): Record<string, string> {
    return {
      ERRAND_DATA_DIR: this.folder,
      ERRAND_SECRET: secret,
      ...(this.#databaseUrl !== null && { ERRAND_DATABASE_URL: this.#databaseUrl }),
    };
  }

  /** Plain SQL past the service, `?` for parameters; on SQLite for reading only, also while the service is down. */
  async query(text: string, ...params: SqlValue[]): Promise<RowValues[]> {
    if (this.#direct) return this.#direct.query<RowValues>(toPostgres(text), params);
    const database = new DatabaseSync(join(this.folder, databaseFile), { readOnly: true, timeout: 10_000 });
    try {
      return database.prepare(text).all(...params) as RowValues[];
    } finally {
      database.close();
    }
  }

  async remove(): Promise<void> {
    await this.#direct?.close();
    if (this.#databaseUrl !== null) await dropDatabase(this.#databaseUrl);
    removeFolder(this.folder);
  }
}
