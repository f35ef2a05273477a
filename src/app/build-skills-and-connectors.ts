import type { AgentPorts } from '../agent/agent-ports.ts';
import type { ConnectorNote, ConnectorService } from '../api/contract/services/connector-service.ts';
import type { SkillService } from '../api/contract/services/skill-service.ts';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { ConnectorRegistry } from '../connectors/connector-registry.ts';
import { endWith, explainMcp, listMcpTools, listTools } from '../connectors/mcp-client.ts';
import { SignInNeeded } from '../connectors/mcp-fetch.ts';
import { findOauthServer } from '../connectors/mcp-oauth-client.ts';
import { ConnectorSignIns } from '../connectors/connector-authorization.ts';
import type { StdioServers } from '../connectors/stdio-servers.ts';
import { explainSignIn, hashTool } from '../rules/connectors/connector.ts';
import { readPackage } from '../skills/skill-package-thread.ts';
import { SkillRegistry } from '../skills/skill-registry.ts';
import { type ConnectorKey, connectorPlace, noteCheck } from '../store/connectors/connectors.ts';
import type { Database } from '../store/db/database.ts';

/** Skills and connectors, for the workers that drive tasks and for the API that describes them. */
export interface TaskToolServices {
  taskTools: AgentPorts['taskTools'];
  skillService: SkillService;
  connectorService: ConnectorService;
}

export interface ToolServiceParts {
  database: Database;
  clock: Clock;
  httpClient: SafeFetch;
  box: SealedBox | null;
  /** Whether the operator has allowed addresses that are not public. */
  hasOpenings: boolean;
  /** Connectors that are commands. */
  stdio: StdioServers;
}

/** A minute, so that the caller gets a response; a slower server can be retried. */
const listTimeoutMs = 60_000;

async function askInTime<Result>(
  clock: Clock,
  caller: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const problem = `it did not list its tools within ${listTimeoutMs / 1000} seconds`;
  const timer = clock.setTimer(() => late.abort(new Fault('unavailable', problem)), listTimeoutMs);
  const signal = AbortSignal.any([caller, late.signal]);
  try {
    return await ask(signal);
  } catch (error) {
    // Clients of servers wrap the reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    timer.cancel();
  }
}

/** Reads and reaches HTTP APIs. */
function buildApiService({ clock, httpClient, hasOpenings }: ToolServiceParts): Pick<ConnectorService, 'readApi' | 'tryApi'> {
  const server = { httpClient, allowHttp: hasOpenings };
  return {
    async readApi(source, choice, caller) {
      const { readApi } = await import('../connectors/apis/read-api.ts');
      return readApi({ clock, server }, source, choice, caller);
    },
    async tryApi(url, { owner, signal: caller }) {
      const { reachApi } = await import('../connectors/apis/call-api.ts');
      try {
        await askInTime(clock, caller, (signal) => reachApi(server, url, owner, signal));
        return null;
      } catch (error) {
        return explainMcp(error);
      }
    },
  };
}

/** A connector that was checked or deleted meanwhile stays as it is. If the database is away, it stops connecting with its minute. */
function noteLater({ database, clock }: ToolServiceParts, key: ConnectorKey, note: Promise<ConnectorNote>): void {
  note.then((known) => database.run(noteCheck, { ...key, now: clock.now(), ...known, isFirst: true })).catch(() => undefined);
}

function buildConnectorService(
  parts: ToolServiceParts,
  registry: ConnectorRegistry,
  signIns: ConnectorSignIns,
): ConnectorService {
  const { database, clock, box } = parts;
  const server = { httpClient: parts.httpClient, allowHttp: parts.hasOpenings };
  const inTime = <Result>(caller: AbortSignal, ask: (signal: AbortSignal) => Promise<Result>) => askInTime(clock, caller, ask);
  const check = async (key: ConnectorKey, caller: AbortSignal): ReturnType<ConnectorService['check']> => {
    try {
      return { tools: await inTime(caller, (signal) => registry.listTools(key, signal)) };
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') throw error;
      return error instanceof SignInNeeded ? { problem: explainSignIn(error), signIn: 'needed' } : { problem: explainMcp(error) };
    }
  };
  return {
    async listTools(url, headers, { owner, signal: caller }) {
      try {
        return { tools: await inTime(caller, (signal) => listMcpTools(server, { url, headers, owner }, signal)) };
      } catch (error) {
        if (error instanceof SignInNeeded && Object.keys(headers).length === 0) {
          const found = await findOauthServer(endWith(server, caller), url).catch(() => null);
          if (found) return { signIn: 'needed' };
        }
        return { problem: explainMcp(error) };
      }
    },
    async tryCommand(key, command, env, caller) {
      const use = (signal: AbortSignal) =>
        parts.stdio.use({ ...command, key, env }, signal, (client) => listTools(client, signal));
      try {
        return { tools: await inTime(caller, use) };
      } catch (error) {
        return { problem: explainMcp(error) };
      }
    },
    ...buildApiService(parts),
    sealClient: (client, key) => signIns.sealClient(client, key),
    seal(headers, key) {
      if (Object.keys(headers).length === 0) return null;
      if (!box)
        throw new Fault(
          'failed_precondition',
          'headers: this instance cannot store secrets; its operator has to set ERRAND_SECRET.',
        );
      return box.seal(JSON.stringify(headers), connectorPlace(key));
    },
    check,
    noteLater: (key, note) => noteLater(parts, key, note),
    beginSignIn: (key, redirectUri, signal) => signIns.begin(key, redirectUri, signal),
    async finishSignIn(key, returned) {
      await signIns.finish(key, returned);
      const look = await check(key, new AbortController().signal);
      const outcome = 'problem' in look ? { tools: null, problem: look.problem } : { tools: look.tools, problem: null };
      await database.run(noteCheck, { ...key, now: clock.now(), ...outcome });
      return look;
    },
  };
}

export function buildToolServices(parts: ToolServiceParts): TaskToolServices {
  const { database, clock, httpClient, box, hasOpenings: allowHttp, stdio } = parts;
  const registry = new SkillRegistry(database, clock);
  const server = { httpClient, allowHttp };
  const signIns = new ConnectorSignIns({ database, clock, httpClient: server, box });
  const connectors = new ConnectorRegistry({ database, clock, httpClient: server, box, signIns, stdio });
  return {
    async taskTools(
      { accountId, taskId, hasTeams },
      { projectId = null, skills: enabled, forcedSkills: forced, connectors: chosen, connectorGrant },
    ) {
      const [offered, tools] = await Promise.all([
        registry.offer({ accountId, taskId, hasTeams, projectId, enabled, forced }),
        connectors.offer(accountId, chosen, connectorGrant),
      ]);
      return {
        skills: { offered, load: (skillId) => registry.load({ accountId, taskId, projectId, skillId }) },
        connectorTools: tools.map(({ named, tool }) => ({ tool, hash: `${named.connectorId} ${hashTool(named.tool)}` })),
      };
    },
    skillService: {
      listOfficial: () => registry.official.list(),
      loadOfficial: (skillId) => registry.official.load(skillId),
      readPackage: (source, uploader) => readPackage(source, clock, uploader),
    },
    connectorService: buildConnectorService(parts, connectors, signIns),
  };
}
