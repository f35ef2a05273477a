import { randomUUID } from 'node:crypto';
import { controlSocketPath, openControl } from '../../../src/cli/transport/control-socket.ts';
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
  /** Commands and tasks of a hostile account at the same time, where an attack has no number of its own. */
  strength: number;
  /** Messages of two kilobytes in the hostile account, for whatever searches them. */
  messages: number;
}

/** What services under attack are started with, so that the tenants reach the stage's server on this machine. */
export const stageSettings = { ERRAND_RATE_LIMITS: 'off', ERRAND_OUTBOUND_ALLOW: '127.0.0.1/32' };

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
    const control = openControl(controlSocketPath(service.dataDir), null);
    try {
      const email = `${randomUUID()}@example.com`;
      const { body } = await control.send({ method: 'POST', path: '/admin/account.create', body: { email } });
      const { api_key: key } = body as { api_key: string };
      return new Stage(service, key, await OutsideServer.start(), options);
    } finally {
      await control.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.outside.stop();
  }
}
