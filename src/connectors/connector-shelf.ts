import type { Clock } from '../base/clock.ts';
import { skillsKey } from '../base/hints.ts';
import { SealBroken, type SealedBox } from '../base/sealed-box.ts';
import { nameTools, type NamedTool } from '../rules/connector.ts';
import { type Connector, connectorPlace, listConnectors } from '../store/connectors.ts';
import type { Database } from '../store/db/database.ts';
import type { Tool } from '../tools/tool.ts';
import { callMcpTool, type McpDoor } from './mcp-client.ts';
import { createMcpTool } from './mcp-tool.ts';
import type { McpAddress } from './mcp-wire.ts';

const trustMs = 30_000;
const maxEntries = 10_000;

export interface ConnectorParts {
  database: Database;
  clock: Clock;
  door: McpDoor;
  /** Opens sealed headers; null where this process cannot. */
  box: SealedBox | null;
}

/** A tool of a connector as a task may use it, and what tells whether its server has changed it. */
export interface OfferedTool {
  named: NamedTool;
  tool: Tool;
}

/** The connectors of accounts as tasks see them. */
export class ConnectorShelf {
  readonly #parts: ConnectorParts;
  readonly #known = new Map<string, { connectors: Promise<Connector[]>; until: number }>();

  constructor(parts: ConnectorParts) {
    this.#parts = parts;
    // For as long as the process lives, as the shelf itself.
    parts.database.hints.subscribe(skillsKey, () => this.#known.clear());
  }

  #list(accountId: string): Promise<Connector[]> {
    const known = this.#known.get(accountId);
    const now = this.#parts.clock.monotonic();
    if (known && now < known.until) return known.connectors;
    if (this.#known.size >= maxEntries) this.#known.clear();
    const connectors = this.#parts.database.run(listConnectors, accountId);
    this.#known.set(accountId, { connectors, until: now + trustMs });
    connectors.catch(() => this.#known.delete(accountId));
    return connectors;
  }

  /** Throws `SealBroken` where the keys cannot be opened here. */
  openHeaders(accountId: string, { id, headers }: Pick<Connector, 'id' | 'headers'>): Record<string, string> {
    if (headers === null) return {};
    if (!this.#parts.box) throw new SealBroken();
    return JSON.parse(this.#parts.box.open(headers, connectorPlace({ accountId, connectorId: id }))) as Record<string, string>;
  }

  /**
   * The tools of the connectors that a task uses. One that was removed meanwhile is passed over.
   * @param chosen ids; undefined for those that the account uses by default
   */
  async offer(accountId: string, chosen: readonly string[] | undefined): Promise<OfferedTool[]> {
    if (chosen?.length === 0) return [];
    const connectors = await this.#list(accountId);
    const used = connectors.filter(({ id, isDefault }) => (chosen === undefined ? isDefault : chosen.includes(id)));
    const byId = new Map(used.map((connector) => [connector.id, connector]));
    return nameTools(used).flatMap((named) => {
      const connector = byId.get(named.connectorId);
      if (!connector) return [];
      const address = (): McpAddress => ({ url: connector.url, headers: this.openHeaders(accountId, connector) });
      const call = async (input: Record<string, unknown>, signal: AbortSignal) =>
        callMcpTool(this.#parts.door, address(), { tool: named.tool.name, input, signal });
      return [{ named, tool: createMcpTool(named, connector.name, call) }];
    });
  }
}
