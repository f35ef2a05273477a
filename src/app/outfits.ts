import type { AgentPorts } from '../agent/ports.ts';
import type { ConnectorDesk } from '../api/connector-desk.ts';
import type { SkillDesk } from '../api/skill-desk.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { SafeFetch } from '../base/safe-fetch.ts';
import type { SealedBox } from '../base/sealed-box.ts';
import { ConnectorShelf } from '../connectors/connector-shelf.ts';
import { explainMcp, listMcpTools } from '../connectors/mcp-client.ts';
import { hashTool } from '../rules/connector.ts';
import { readPackage } from '../skills/package-thread.ts';
import { SkillShelf } from '../skills/skill-shelf.ts';
import { connectorPlace } from '../store/connectors.ts';
import type { Database } from '../store/db/database.ts';

/** What tasks work with beside their tools, for the workers that drive them and for the API that tells of it. */
export interface Outfits {
  outfit: AgentPorts['outfit'];
  skillDesk: SkillDesk;
  connectorDesk: ConnectorDesk;
}

export interface OutfitParts {
  database: Database;
  clock: Clock;
  door: SafeFetch;
  box: SealedBox | null;
  /** Whether the operator has opened addresses that are not public. */
  hasOpenings: boolean;
}

function buildConnectorDesk(parts: OutfitParts, shelf: ConnectorShelf): ConnectorDesk {
  const { door, box, hasOpenings: allowHttp } = parts;
  return {
    async listTools(url, headers) {
      try {
        return { tools: await listMcpTools({ door, allowHttp }, { url, headers }) };
      } catch (error) {
        return { problem: explainMcp(error) };
      }
    },
    seal(headers, key) {
      if (Object.keys(headers).length === 0) return null;
      if (!box)
        throw new Fault('failed_precondition', 'headers: this instance keeps no secrets; its operator has to set ERRAND_SECRET.');
      return box.seal(JSON.stringify(headers), connectorPlace(key));
    },
    open(headers, { accountId, connectorId: id }) {
      try {
        return shelf.openHeaders(accountId, { id, headers });
      } catch (error) {
        throw new Fault('failed_precondition', 'The keys of this connector cannot be opened here; connect it anew.', {
          cause: error,
        });
      }
    },
  };
}

export function buildOutfits(parts: OutfitParts): Outfits {
  const { database, clock, door, box, hasOpenings: allowHttp } = parts;
  const shelf = new SkillShelf(database, clock);
  const connectors = new ConnectorShelf({ database, clock, door: { door, allowHttp }, box });
  return {
    async outfit({ accountId }, { projectId = null, skills: enabled, forcedSkills: forced, connectors: chosen }) {
      const [offered, tools] = await Promise.all([
        shelf.offer({ accountId, projectId, enabled, forced }),
        connectors.offer(accountId, chosen),
      ]);
      return {
        skills: { offered, load: (skillId) => shelf.load(accountId, projectId, skillId) },
        connectorTools: tools.map(({ named, tool }) => ({ tool, hash: `${named.connectorId} ${hashTool(named.tool)}` })),
      };
    },
    skillDesk: {
      listOfficial: () => shelf.official.list(),
      readPackage: (source) => readPackage(source, clock),
    },
    connectorDesk: buildConnectorDesk(parts, connectors),
  };
}
