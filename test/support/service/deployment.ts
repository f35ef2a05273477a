import type { RowValues, SqlValue } from '../../../src/store/db/store-operation.ts';
import { DeploymentData, type DeploymentOptions } from './deployment-data.ts';
import { LocalService } from './local-service.ts';
import { ServiceClient } from './service-client.ts';
import { ServiceProcess } from './supervisor.ts';

/** How the service is run: one process on either database, or an API process and two workers on PostgreSQL. */
export type Shape = 'sqlite' | 'postgres' | 'api and two workers';

/** A service on its data, as audits see it. */
abstract class AnyDeployment {
  readonly client: ServiceClient;
  protected readonly data: DeploymentData;

  constructor(data: DeploymentData, api: { url: string; apiKey: string }) {
    this.data = data;
    this.client = new ServiceClient({ url: api.url, apiKey: api.apiKey });
  }

  get dataDir(): string {
    return this.data.folder;
  }

  /** Settings with which a command finds this service's data. */
  get commandEnv(): Record<string, string> {
    return this.data.commandEnv;
  }

  /** Plain SQL past the service, `?` for parameters; on SQLite for reading only, also while the service is down. */
  query(text: string, ...params: SqlValue[]): Promise<RowValues[]> {
    return this.data.query(text, ...params);
  }

  abstract close(): Promise<void>;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

export type { AnyDeployment };

/** A whole service of one or several processes on one database, with a way to look behind it. */
export class Deployment extends AnyDeployment {
  readonly shape: Shape;
  /** The process that answers requests; it also works, unless there are workers. */
  readonly api: ServiceProcess;
  readonly workers: readonly ServiceProcess[];

  private constructor(shape: Shape, data: DeploymentData, processes: readonly [ServiceProcess, ...ServiceProcess[]]) {
    const [api, ...workers] = processes;
    super(data, api);
    this.shape = shape;
    this.api = api;
    this.workers = workers;
  }

  static async start(shape: Shape, options: DeploymentOptions = {}): Promise<Deployment> {
    const data = await DeploymentData.create(shape === 'sqlite' ? 'sqlite' : 'postgres', options);
    const common = { dataDir: data.folder, env: data.env };
    const role = shape === 'api and two workers' ? 'api' : 'all';
    const startWorker = () => ServiceProcess.start({ ...common, args: ['--role', 'worker'] });
    const api = ServiceProcess.start({ ...common, args: ['--role', role] });
    if (role === 'all') return new Deployment(shape, data, [await api]);
    return new Deployment(shape, data, [await api, ...(await Promise.all([startWorker(), startWorker()]))]);
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

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end()));
    await this.data.remove();
  }
}

/** A deployment inside the process of the test, which starts at a fraction of the cost. Not for tests that kill it. */
export class LocalDeployment extends AnyDeployment {
  readonly service: LocalService;

  private constructor(data: DeploymentData, service: LocalService) {
    super(data, service);
    this.service = service;
  }

  static async start(kind: 'sqlite' | 'postgres', options: DeploymentOptions = {}): Promise<LocalDeployment> {
    const data = await DeploymentData.create(kind, options);
    return new LocalDeployment(data, await LocalService.start({ dataDir: data.folder, env: data.env }));
  }

  async close(): Promise<void> {
    await this.service.end();
    await this.data.remove();
  }
}
