import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PostgresServer } from '../support/db/postgres-server.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { DataDisk } from './data-disk.ts';
import { FaultyLink } from './faulty-link.ts';
import { workRules } from './known-work.ts';

export type ChaosDatabase = 'embedded' | 'postgres';

/** One process of the service, with the links that lead to it and from it. */
export interface Node {
  name: string;
  process: ServiceProcess;
  /** Through which clients reach it. */
  front: FaultyLink;
  /** Through which it reaches its database; null for the embedded one. */
  back: FaultyLink | null;
  /** Milliseconds by which its clock is off. */
  setClock(offsetMs: number): void;
}

export interface ClusterOptions {
  database: ChaosDatabase;
  processes: number;
}

const webhookPath = '/chaos';
const preload = new URL('./jumping-clock.ts', import.meta.url).href;

/** Several processes of the service on one database, with a model and a receiver of webhooks, and everything between them breakable. */
export class ChaosCluster {
  readonly nodes: Node[] = [];
  readonly links: FaultyLink[] = [];
  readonly server: PostgresServer | null;
  readonly receiver: Receiver;
  readonly disk: DataDisk;
  readonly #model: ModelServer;
  readonly #folder: string;

  private constructor(parts: { server: PostgresServer | null; receiver: Receiver; model: ModelServer; folder: string }) {
    this.server = parts.server;
    this.receiver = parts.receiver;
    this.#model = parts.model;
    this.#folder = parts.folder;
    this.disk = DataDisk.create(path.join(parts.folder, 'data'));
  }

  static async start({ database, processes }: ClusterOptions): Promise<ChaosCluster> {
    const server = database === 'postgres' ? await PostgresServer.start() : null;
    const model = await startModelServer();
    await model.script(workRules);
    const parts = { server, model, receiver: await Receiver.start(), folder: createFolder('chaos') };
    const cluster = new ChaosCluster(parts);
    try {
      // One after the other, because the first one creates the tables.
      for (let number = 1; number <= (server ? processes : 1); number++) await cluster.#addNode(`service ${number}`);
      await cluster.#registerReceiver();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get apiKey(): string {
    return this.nodes[0]?.process.apiKey ?? '';
  }

  /** Ways through the links to each process. */
  get urls(): readonly [string, ...string[]] {
    const [first = '', ...others] = this.nodes.map(({ front }) => `http://127.0.0.1:${front.port}`);
    return [first, ...others];
  }

  /** Lines of the services' logs that report a failure of their own. */
  listErrors(): string[] {
    return this.nodes.flatMap(({ name, process }) =>
      process.lines.flatMap(({ text }) => (/"level":(50|60|"error"|"fatal")/.test(text) ? [`${name}: ${text}`] : [])),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ process }) => process.end()));
    await Promise.all(this.links.map((link) => link.stop()));
    await this.receiver.stop();
    await this.#model.stop();
    await this.server?.stop();
    this.disk.remove();
    removeFolder(this.#folder);
  }

  async #addNode(name: string): Promise<void> {
    const clockFile = path.join(this.#folder, `clock of ${name}`);
    const back = this.server ? await this.#addLink(new URL(this.server.url).port) : null;
    const databaseUrl = this.server && new URL(this.server.url);
    if (databaseUrl && back) databaseUrl.port = String(back.port);
    const [port, contentPort] = [await findQuietPort(), await findQuietPort()];
    const env = {
      NODE_OPTIONS: `--import=${preload}`,
      CHAOS_CLOCK: clockFile,
      ERRAND_PORT: String(port),
      ERRAND_CONTENT_PORT: String(contentPort),
      ERRAND_SECRET: 'a secret of chaos runs',
      ERRAND_RATE_LIMITS: 'off',
      ERRAND_LOG: 'warn',
      ERRAND_LEASE_TTL_MS: '5000',
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: this.#model.openaiUrl,
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_WEBHOOK_ALLOW_HTTP: 'true',
      ...(databaseUrl && { ERRAND_DATABASE_URL: databaseUrl.href }),
    };
    const process = await ServiceProcess.start({ dataDir: this.disk.folder, env });
    const front = await this.#addLink(String(port));
    const setClock = (offsetMs: number) => writeFileSync(clockFile, String(offsetMs));
    this.nodes.push({ name, process, front, back, setClock });
  }

  async #addLink(port: string): Promise<FaultyLink> {
    const link = await FaultyLink.start({ host: '127.0.0.1', port: Number(port) });
    this.links.push(link);
    return link;
  }

  async #registerReceiver(): Promise<void> {
    const body = JSON.stringify({ url: this.receiver.url(webhookPath) });
    const headers = { 'x-service-api-key': this.apiKey, 'content-type': 'application/json' };
    const answer = await fetch(`${this.urls[0]}/v2/webhook.create`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`webhook.create answered ${answer.status}: ${await answer.text()}`);
  }

  /** What the receiver got, without the test message. */
  get received(): Receiver['messages'] {
    return this.receiver.eventsAt(webhookPath);
  }
}
