import { randomBytes } from 'node:crypto';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { ServiceProcess } from '../../test/support/service/supervisor.ts';
import type { CeilingJob } from '../ceilings/ceiling-job.ts';
import type { Work } from '../ceilings/ceiling-work.ts';
import type { DatabaseKind } from '../report/figure.ts';
import { query } from '../process/query.ts';
import { readProgramName } from '../process/process-facts.ts';
import { runProgram } from '../process/program.ts';
import type { Sizes } from './sizes.ts';

export interface TestBedOptions {
  database: DatabaseKind;
  sizes: Sizes;
  /** A server on which databases may be created; null where the database is embedded. */
  serverUrl: string | null;
}

export interface StartOptions {
  env?: Record<string, string>;
  role?: 'all' | 'api' | 'worker';
  /** One that another process uses too; without it, an empty one of its own. */
  databaseUrl?: string | undefined;
  /** Starts the service without the launcher, where the service's own start would be measured. */
  isDirect?: boolean;
}

/** A service that a measure neither ends nor restarts. */
export type UsedService = Pick<ServiceProcess, 'url' | 'apiKey' | 'pid' | 'dataDir'> & AsyncDisposable;

/** Where measures take place: services and bare databases of one kind, gone when the room is left. */
export class TestBed {
  readonly database: DatabaseKind;
  readonly sizes: Sizes;
  readonly #serverUrl: string | null;
  readonly #databaseUrls: string[] = [];
  readonly #shared = new Map<string, Promise<ServiceProcess>>();

  constructor({ database, sizes, serverUrl }: TestBedOptions) {
    this.database = database;
    this.sizes = sizes;
    this.#serverUrl = serverUrl;
  }

  /** The service as its users run it, on an empty store unless told otherwise. */
  async startService({ env = {}, role = 'all', databaseUrl, isDirect = false }: StartOptions = {}): Promise<ServiceProcess> {
    const url = databaseUrl ?? (await this.createDatabase());
    // The launcher has a folder of its own for compiled code, which the installation filled.
    const launched = isDirect ? null : { script: 'bench/launch.ts', env: { NODE_COMPILE_CACHE: '' } };
    return ServiceProcess.start({
      args: ['--role', role],
      ...launched,
      env: { ...launched?.env, ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off', ...(url && { ERRAND_DATABASE_URL: url }), ...env },
    });
  }

  /**
   * Starts a service for a measurement that changes nothing in it. Such measurements share one service unless `options` asks for a special
   * one.
   */
  async useService(options: StartOptions = {}): Promise<UsedService> {
    const { role = 'all', env = {}, databaseUrl } = options;
    const isSpecial = databaseUrl !== undefined || Object.keys(env).length > 0;
    if (!this.sizes.sharesServices || isSpecial) return this.startService(options);
    const started = this.#shared.get(role) ?? this.startService(options);
    this.#shared.set(role, started);
    const { url, apiKey, pid, dataDir } = await started;
    return { url, apiKey, pid, dataDir, [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  /** The URL of an empty database; undefined where the service brings its own. */
  async createDatabase(): Promise<string | undefined> {
    if (this.#serverUrl === null) return undefined;
    const url = new URL(this.#serverUrl);
    const name = `errand_bench_${randomBytes(6).toString('hex')}`;
    await query(this.#serverUrl, `CREATE DATABASE ${name}`);
    url.pathname = name;
    this.#databaseUrls.push(url.href);
    return url.href;
  }

  /** What the bare database does with the same work at this moment, in pieces a second. */
  async runDatabaseCeiling(work: Work, count: number): Promise<number> {
    const url = await this.createDatabase();
    const folder = createFolder('bench');
    try {
      const job: CeilingJob = { kind: this.database, target: url ?? folder, work, warmup: this.sizes.warmup, count };
      return await runProgram<number>('ceilings/database-ceiling.ts', job);
    } finally {
      removeFolder(folder);
    }
  }

  /** The server's processes that serve connections of the service, as far as they run on this machine. */
  async listBackends(databaseUrl: string | undefined): Promise<number[]> {
    if (databaseUrl === undefined) return [];
    const rows = await query(
      databaseUrl,
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => Number(pid)).filter((pid) => readProgramName(pid) === 'postgres');
  }

  /** Ends and drops what was created. */
  async close(): Promise<void> {
    for (const started of this.#shared.values()) await (await started).end();
    for (const url of this.#databaseUrls) {
      await query(this.#serverUrl ?? '', `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    }
  }
}
