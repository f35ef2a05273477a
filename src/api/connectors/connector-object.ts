import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { connectorNotGranted, grantedConnectorsOf } from '../../rules/accounts/access.ts';
import { type Connector, type ConnectorKey, connectorNotFound, listConnectors } from '../../store/connectors/connectors.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A connector (docs/reference/wire-format.md#resources), with our additional fields: its URL and status. */
export const connectorObject = z
  .object({
    id: z.string().meta({ description: 'A UUID.' }),
    name: z.string(),
    type: z.enum(['builtin', 'byok', 'mcp']).meta({ description: '`mcp`: an MCP server; `byok`: an HTTP API of your own.' }),
    description: z.string(),
    category: z.string(),
    url: z.string(),
    tools: z
      .array(z.string())
      .meta({ description: 'Names of its tools, as last listed by its server; of an HTTP API, the chosen operations.' }),
    enabled_by_default: z.boolean(),
    status: z.enum(['connected', 'connecting', 'failing', 'needs_sign_in']).meta({
      description: '`connecting`: its server had not listed its tools yet when it was created; that ends within a minute.',
    }),
    problem: z.string().nullable(),
    checked_at: unixTime,
  })
  .meta({ id: 'Connector' });

/** Listing the tools for the first time may take so long. */
export const connectingMs = 60_000;

/** A process that dies leaves a connector connecting: that ends with the minute, and connector.check repeats it. */
function readStatus({ signIn, problem, connectingEndsAtMs }: Connector, now: number) {
  if (connectingEndsAtMs !== null) {
    if (now < connectingEndsAtMs) return { status: 'connecting' as const, problem: null };
    return { status: 'failing' as const, problem: `it did not list its tools within ${connectingMs / 1000} seconds` };
  }
  if (signIn === 'needed') return { status: 'needs_sign_in' as const, problem };
  return { status: problem === null ? ('connected' as const) : ('failing' as const), problem };
}

/** A connector at a time, in milliseconds since the epoch. */
export function presentConnector(connector: Connector, now: number): z.input<typeof connectorObject> {
  const { id, name, description, category, url, tools, isDefault, checkedAtMs, api } = connector;
  return {
    ...{ id, name, type: api ? ('byok' as const) : ('mcp' as const), description, category, url },
    tools: tools.map((tool) => tool.name),
    enabled_by_default: isDefault,
    ...readStatus(connector, now),
    checked_at: toUnixTime(checkedAtMs),
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of the caller's connector; 404 for an invalid id. */
export function keyOfConnector(connectorId: string, { principal }: Context): ConnectorKey {
  const lower = connectorId.toLowerCase();
  if (!uuid.test(lower)) throw connectorNotFound();
  return { accountId: principal.accountId, connectorId: lower };
}

/** The connectors named by a field, as stored; 400 for one that is not installed, 403 for one that was not granted. */
export async function checkConnectors(field: string, ids: readonly string[], context: Context): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { principal, read } = context;
  const granted = grantedConnectorsOf(principal);
  const wanted = ids.map((id) => id.toLowerCase());
  const beyond = granted && ids.find((id) => !granted.includes(id.toLowerCase()));
  if (beyond) throw connectorNotGranted(beyond.slice(0, 64).toWellFormed());
  const known = new Set((await read(listConnectors, principal.accountId)).map(({ id }) => id));
  if (wanted.some((id) => !known.has(id))) throw invalidField(field, 'connector not installed');
  return wanted;
}
