import { randomUUID } from 'node:crypto';
import { systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../../src/cli/index.ts';
import { TestHost } from '../cli/test-shell.ts';
import { ServiceClient } from '../service/service-client.ts';
import { OutsideServer } from './outside-server.ts';

/** A service with two accounts, in this process or another one. */
export interface SharedService {
  url: string;
  /** The measured account's key. */
  apiKey: string;
  dataDir: string;
}

export interface StageOptions {
  /** The database of a service on PostgreSQL. */
  databaseUrl?: string | undefined;
  /** How strong attacks are: commands and tasks of the hostile account at the same time, and a quarter of its requests. */
  strength: number;
  /** Messages of two kilobytes in the hostile account, for whatever searches them. */
  messages: number;
}

/** What services under attack are started with, so that the tenants reach the stage's server on this machine. */
export const stageSettings = {
  ERRAND_RATE_LIMITS: 'off',
  ERRAND_OUTBOUND_ALLOW: '127.0.0.1/32',
  ERRAND_BOOTSTRAP_PASSWORD: 'a long password of the owner',
};

/** The key of a new account, created by the command of the operator, which finds the service or its database. */
async function createAccount(dataDir: string, databaseUrl: string | undefined): Promise<string> {
  const database = databaseUrl !== undefined && { ERRAND_DATABASE_URL: databaseUrl };
  const host = new TestHost({ ERRAND_DATA_DIR: dataDir, ...database }, { clock: systemClock });
  const code = await runErrand(['account', 'create', '--email', `${randomUUID()}@example.com`, '--json'], host);
  if (code !== 0) throw new Error(`the hostile account was not created: ${host.stdout.text}${host.stderr.text}`);
  return (JSON.parse(host.stdout.text) as { api_key: string }).api_key;
}

/** A hostile account and a measured one on the same service, and a web server that both can reach. */
export class Stage implements AsyncDisposable {
  readonly service: SharedService;
  readonly hostile: ServiceClient;
  readonly hostileKey: string;
  readonly measured: ServiceClient;
  readonly outside: OutsideServer;
  readonly strength: number;
  readonly messages: number;
  readonly databaseUrl: string | undefined;

  private constructor(service: SharedService, hostileKey: string, outside: OutsideServer, options: StageOptions) {
    this.service = service;
    this.hostileKey = hostileKey;
    this.hostile = new ServiceClient({ url: service.url, apiKey: hostileKey });
    this.measured = new ServiceClient(service);
    this.outside = outside;
    this.strength = options.strength;
    this.messages = options.messages;
    this.databaseUrl = options.databaseUrl;
  }

  static async open(service: SharedService, options: StageOptions): Promise<Stage> {
    const key = await createAccount(service.dataDir, options.databaseUrl);
    return new Stage(service, key, await OutsideServer.start(), options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.outside.stop();
  }
}
