import type { Client } from '@modelcontextprotocol/client';
import { join } from 'node:path';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import { type EgressPolicy, refuseByPolicy } from '../rules/egress/egress-policy.ts';
import type { SandboxAvailability, SandboxLimits } from '@errand/sandbox';
import type { ServerCommand as StoredCommand } from '../rules/connectors/connector.ts';
import type { ConnectorKey } from '../store/connectors/connectors.ts';
import { unreadSchemas } from './mcp-schemas.ts';
import { SandboxTransport } from './stdio-transport.ts';

export interface StdioParts {
  /** Called when the first server is used. */
  sandbox(): Promise<SandboxAvailability>;
  clock: Clock;
  log: Log;
  policy: EgressPolicy;
  /** The parent of each server's persistent folder. */
  folder: string;
}

const startMs = 60_000;
const idleMs = 5 * 60_000;
const mostServers = 16;
const firstPauseMs = 1000;
const longestPauseMs = 5 * 60_000;

const limits: Partial<SandboxLimits> = {
  // A server in use is restarted after a day.
  wallMs: 24 * 60 * 60_000,
  cpuS: 3600,
};

/** The command to run, and its environment, which may contain keys. */
export interface StdioServer extends StoredCommand {
  key: ConnectorKey;
  env: Readonly<Record<string, string>>;
}

interface Running {
  client: Promise<Client>;
  transport: SandboxTransport;
  users: number;
  idle: Timer | null;
}

interface Failure {
  count: number;
  untilMs: number;
}

/** MCP servers that are commands: started in the sandbox on first use, stopped when idle. */
export class StdioServers {
  readonly #parts: StdioParts;
  readonly #running = new Map<string, Running>();
  readonly #failures = new Map<string, Failure>();
  /** One slot per server, so whoever has a slot can always find an idle server to stop. */
  readonly #slots = new FairGate({ capacity: mostServers });

  constructor(parts: StdioParts) {
    this.#parts = parts;
  }

  /** Uses a server, starting it if necessary. */
  use<Result>(server: StdioServer, signal: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.#slots.run({ owner: server.key.accountId, signal }, () => this.#useNow(server, work));
  }

  async #useNow<Result>(server: StdioServer, work: (client: Client) => Promise<Result>): Promise<Result> {
    const name = nameOf(server);
    this.#checkPause(name);
    const running = this.#running.get(name) ?? (await this.#start(name, server));
    running.users += 1;
    running.idle?.cancel();
    try {
      const result = await work(await running.client);
      this.#failures.delete(name);
      return result;
    } catch (error) {
      const { problem } = running.transport;
      throw problem === null ? error : new Error(problem, { cause: error });
    } finally {
      running.users -= 1;
      if (running.users === 0) running.idle = this.#parts.clock.setTimer(() => void this.#end(name, running), idleMs);
    }
  }

  /** Stops all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map(([name, running]) => this.#end(name, running)));
  }

  #checkPause(name: string): void {
    const failure = this.#failures.get(name);
    const waitMs = (failure?.untilMs ?? 0) - this.#parts.clock.monotonic();
    if (failure && waitMs > 0 && !this.#running.has(name)) {
      const problem = `its command has ended ${failure.count} times; it is started again in ${Math.ceil(waitMs / 1000)} s`;
      throw new Fault('unavailable', problem);
    }
  }

  async #start(name: string, server: StdioServer): Promise<Running> {
    const { sandbox } = await this.#parts.sandbox().then((found) => {
      if (found.sandbox === null) throw new Fault('unavailable', `commands cannot be run here: ${found.reason}`);
      return found;
    });
    const root = join(this.#parts.folder, server.key.accountId, server.key.connectorId);
    const known = this.#running.get(name);
    if (known) return known;
    this.#stopIdleServer();
    const command = {
      ...{ workspace: { root }, command: server.line, env: server.env, limits },
      ...(server.folder !== null && { library: server.folder }),
      ...(this.#parts.policy.kind !== 'none' && { egress: this.#openEgress(server.key) }),
    };
    const transport: SandboxTransport = new SandboxTransport(sandbox, command, () => this.#noteEnd(name, transport));
    const running: Running = { transport, users: 0, idle: null, client: this.#connect(transport) };
    running.client.catch(() => undefined);
    this.#running.set(name, running);
    return running;
  }

  async #connect(transport: SandboxTransport): Promise<Client> {
    const { Client: McpClient } = await import('@modelcontextprotocol/client');
    const client = new McpClient({ name: 'errand', version: '1' }, { jsonSchemaValidator: unreadSchemas });
    await client.connect(transport, { timeout: startMs }).catch(async (error: unknown) => {
      await transport.close();
      throw error;
    });
    return client;
  }

  /** A server that ended unexpectedly has failed: the next start waits, with increasing delays. */
  #noteEnd(name: string, transport: SandboxTransport): void {
    const running = this.#running.get(name);
    if (running?.transport !== transport) return;
    this.#running.delete(name);
    running.idle?.cancel();
    const count = (this.#failures.get(name)?.count ?? 0) + 1;
    const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
    this.#failures.set(name, { count, untilMs: this.#parts.clock.monotonic() + pauseMs });
    this.#parts.log.warn({ connector: name, problem: transport.problem }, 'the command of a connector has ended');
  }

  async #end(name: string, running: Running): Promise<void> {
    if (this.#running.get(name) === running) this.#running.delete(name);
    running.idle?.cancel();
    await running.transport.close();
  }

  /** Stops an idle server if all slots are taken; throws if none is idle. */
  #stopIdleServer(): void {
    if (this.#running.size < mostServers) return;
    const idle = [...this.#running].find(([, { users }]) => users === 0);
    if (!idle) throw new Fault('unavailable', `${mostServers} connectors with commands are running; try again later`);
    void this.#end(...idle);
  }

  #openEgress({ accountId, connectorId }: ConnectorKey) {
    const { policy, log } = this.#parts;
    return {
      refuse: (host: string) => refuseByPolicy(policy, host),
      onConnect: (host: string) =>
        log.info({ account_id: accountId, connector: connectorId, host }, 'a connector reached a host'),
    };
  }
}

/** A changed command is a different server. */
function nameOf({ key, line, folder }: StdioServer): string {
  return JSON.stringify([key.connectorId, line, folder]);
}
