import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@errand/base/clock.ts';
import { RecentReads } from '@errand/base/load/recent-reads.ts';
import { skillsKey } from '@errand/base/signals/hints.ts';
import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { usesConnector } from '../rules/tasks/task-config.ts';
import { type ConnectorTool, explainSignIn, nameTools, type NamedTool } from '../rules/connectors/connector.ts';
import {
  type Connector,
  type ConnectorKey,
  connectorPlace,
  getConnector,
  listConnectors,
  noteCheck,
} from '../store/connectors/connectors.ts';
import type { Database } from '../store/db/database.ts';
import type { Tool } from '../tools/toolbox/tool.ts';
import { calling, callTool, listing, listTools, type McpHttpClient, withClient } from './mcp-client.ts';
import { createMcpTool, type ToolServer } from './mcp-tool.ts';
import { SignInNeeded, type WireLimits } from './mcp-fetch.ts';
import type { ConnectorSignIns } from './connector-authorization.ts';
import type { StdioServers } from './stdio-servers.ts';

/** How long a changed connector can stay unnoticed if its hint is lost. */
const cacheTtlMs = 30_000;

export interface ConnectorParts {
  database: Database;
  clock: Clock;
  httpClient: McpHttpClient;
  /** Opens sealed headers; null if this process cannot. */
  box: SealedBox | null;
  signIns: ConnectorSignIns;
  /** Connectors that run commands. */
  stdio: StdioServers;
}

/** A connector's tool as a task may use it, with a fingerprint that reveals changes by its server. */
export interface OfferedTool {
  named: NamedTool;
  tool: Tool;
}

/** What one use of a server may take, and what ends it. */
type Use = WireLimits & { signal: AbortSignal; traceparent?: string | null };

/** The connectors of accounts as tasks see them. */
export class ConnectorRegistry {
  readonly #parts: ConnectorParts;
  /** Ids of connectors whose user has to sign in. */
  readonly #signedOut = new Set<string>();
  readonly #recent: RecentReads<Connector[]>;

  constructor(parts: ConnectorParts) {
    this.#parts = parts;
    this.#recent = new RecentReads(parts.clock, cacheTtlMs);
    // Lives as long as the process, like the registry itself.
    parts.database.hints.subscribe(skillsKey, () => this.#recent.clear());
  }

  #list(accountId: string): Promise<Connector[]> {
    const { database } = this.#parts;
    return this.#recent.read(accountId, async () => this.#noteSignIns(await database.run(listConnectors, accountId)));
  }

  #noteSignIns(connectors: Connector[]): Connector[] {
    for (const { id, signIn } of connectors) {
      if (signIn === 'needed') this.#signedOut.add(id);
      else this.#signedOut.delete(id);
    }
    return connectors;
  }

  /** Throws `SealBroken` if the keys cannot be opened here. */
  openHeaders(accountId: string, { id, headers }: Pick<Connector, 'id' | 'headers'>): Record<string, string> {
    if (headers === null) return {};
    if (!this.#parts.box) throw new SealBroken();
    return JSON.parse(this.#parts.box.open(headers, connectorPlace({ accountId, connectorId: id }))) as Record<string, string>;
  }

  /** Uses a server with its keys and the sign-in of its user; if the token is rejected, refreshes it and retries. */
  async #use<Result>(key: ConnectorKey, limits: Use, work: (client: Client) => Promise<Result>): Promise<Result> {
    const { database, signIns, stdio, httpClient } = this.#parts;
    const first = await database.run(getConnector, key);
    if (first.command) {
      return stdio.use({ ...first.command, key, env: this.openHeaders(key.accountId, first) }, limits.signal, work);
    }
    const attempt = async (connector: Connector, refused: string | null) => {
      const proof = await signIns.proveTo(key, connector, refused);
      const trace = limits.traceparent ? { traceparent: limits.traceparent } : {};
      const headers = { ...trace, ...this.openHeaders(key.accountId, connector), ...proof };
      return {
        token: proof.Authorization?.slice('Bearer '.length) ?? null,
        address: { url: connector.url, headers, owner: key.accountId },
      };
    };
    try {
      const { token, address } = await attempt(first, null);
      return await withClient(httpClient, address, limits, work).catch(async (error: unknown) => {
        // A request with a rejected token was not performed.
        if (!(error instanceof SignInNeeded) || token === null) throw error;
        if (error.scope !== undefined) throw await this.#widen(key, token, error.scope);
        const { address: renewed } = await attempt(await database.run(getConnector, key), token);
        return withClient(httpClient, renewed, limits, work);
      });
    } catch (error) {
      if (error instanceof SignInNeeded) this.#signedOut.add(key.connectorId);
      throw error;
    }
  }

  /** Stores what the sign-in lacks, for its user; a refreshed token would lack it too. */
  async #widen(key: ConnectorKey, token: string, missing: string): Promise<SignInNeeded> {
    const { database, signIns, clock } = this.#parts;
    const scope = await signIns.widen(key, token, missing);
    await database.run(noteCheck, { ...key, now: clock.now(), tools: null, problem: explainSignIn({ scope }) });
    return new SignInNeeded(scope);
  }

  /** The current tools of a connector; those of an HTTP API were chosen, and only whether it answers is looked at. */
  async listTools(key: ConnectorKey, signal: AbortSignal): Promise<readonly ConnectorTool[]> {
    const { api, url, tools } = await this.#parts.database.run(getConnector, key);
    if (api) {
      const { reachApi } = await import('./apis/call-api.ts');
      await reachApi(this.#parts.httpClient, url, key.accountId, signal);
      return tools;
    }
    return this.#use(key, { ...listing, signal }, (client) => listTools(client, signal));
  }

  /** Calls one tool of a connector: an operation of an HTTP API, or a tool of an MCP server. */
  async #call(key: ConnectorKey, tool: ConnectorTool, ...[input, signal, traceparent]: Parameters<ToolServer['call']>) {
    const { request } = tool;
    if (!request) {
      return this.#use(key, { ...calling, signal, traceparent }, (client) => callTool(client, { tool, input, signal }));
    }
    const connector = await this.#parts.database.run(getConnector, key);
    const { callApi } = await import('./apis/call-api.ts');
    const address = {
      baseUrl: connector.url,
      access: connector.api ?? { keysIn: 'header' as const },
      keys: this.openHeaders(key.accountId, connector),
      owner: key.accountId,
    };
    return callApi(this.#parts.httpClient, address, { tool: { ...tool, request }, input, signal, traceparent });
  }

  /**
   * The tools of the connectors that a task uses. Deleted ones are skipped.
   * @param chosen ids; undefined for the account's defaults
   * @param granted ids of those that may be used at all; undefined for all
   */
  async offer(accountId: string, chosen?: readonly string[], granted?: readonly string[]): Promise<OfferedTool[]> {
    if (chosen?.length === 0 || granted?.length === 0) return [];
    const connectors = await this.#list(accountId);
    const requested = { ...(chosen && { connectors: chosen }), ...(granted && { connectorGrant: granted }) };
    const used = connectors.filter((connector) => usesConnector(connector, requested));
    const byId = new Map(used.map((connector) => [connector.id, connector]));
    return nameTools(used).flatMap((named) => {
      const connector = byId.get(named.connectorId);
      if (!connector) return [];
      const key = { accountId, connectorId: connector.id };
      const call: ToolServer['call'] = (...asked) => this.#call(key, named.tool, ...asked);
      const isSignedOut = () => this.#signedOut.has(connector.id);
      return [{ named, tool: createMcpTool(named, { name: connector.name, isSignedOut, call }) }];
    });
  }
}
