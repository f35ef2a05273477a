import { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { newUuid } from '@errand/base/ids.ts';
import { connectorLimits, signInProblem } from '../../rules/connectors/connector.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { createConnector } from '../../store/connectors/connectors.ts';
import { connectingMs, connectorObject, presentConnector } from './connector-object.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import type { ConnectorNote, ConnectorService } from '../contract/services/connector-service.ts';

const maxNameLength = 100;
const maxUrlLength = 2000;
/** Set by the HTTP client itself. */
const reserved = /^(host|content-.*|connection|transfer-encoding|accept|cookie|mcp-.*|te|upgrade|proxy-.*)$/i;

export function readConnectorName(name: string): string {
  const clean = toOneLine(name);
  if (clean === '') throw missingField('name');
  if (clean.length > maxNameLength) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

function readUrl(text: string): string {
  const url = URL.canParse(text) && text.length <= maxUrlLength ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidField('url', 'must be the URL of an MCP server, such as https://mcp.example.com/mcp');
  }
  url.hash = '';
  return url.href;
}

export function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  if (entries.length > connectorLimits.headers)
    throw invalidField('headers', `must have at most ${connectorLimits.headers} fields`);
  for (const [name, value] of entries) {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name) || reserved.test(name)) throw invalidField('headers', 'has a name that cannot be set');
    if (!/^[\t\x20-\x7e]*$/.test(value) || value.length > connectorLimits.headerLength) {
      throw invalidField('headers', `has a value that is no header, or longer than ${connectorLimits.headerLength} characters`);
    }
  }
  return Object.fromEntries(entries);
}

function readClient({
  oauth_client_id: id,
  oauth_client_secret: secret,
}: {
  oauth_client_id?: string | undefined;
  oauth_client_secret?: string | undefined;
}) {
  if (id === undefined && secret !== undefined) throw missingField('oauth_client_id');
  return id === undefined ? null : { client_id: id, ...(secret && { client_secret: secret }) };
}

/** After this time, the tools of a server are listed after the response. */
const answerMs = 5000;

type FirstLook = Awaited<ReturnType<ConnectorService['listTools']>>;

/** The result of a promise, or null if it takes longer. */
async function settleWithin<Result>(clock: Clock, ms: number, result: Promise<Result>): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = clock.setTimer(() => late.resolve(null), ms);
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    timer.cancel();
  }
}

const nobodySignsIn = 'nobody signs in at this server';

function refuseUnusable(found: FirstLook, hasClient: boolean): void {
  if ('problem' in found) throw invalidField('url', `the server cannot be used: ${found.problem}`);
  if (hasClient && !('signIn' in found)) throw invalidField('oauth_client_id', nobodySignsIn);
}

/** What is stored of a server that has answered. */
function readLook(found: FirstLook, hasClient = false): ConnectorNote {
  if ('problem' in found) return { tools: [], signIn: null, problem: found.problem };
  if ('signIn' in found) return { tools: [], signIn: found.signIn, problem: signInProblem };
  return { tools: found.tools, signIn: null, problem: hasClient ? nobodySignsIn : null };
}

const connecting = (now: number) => ({ tools: [], signIn: null, problem: null, connectingEndsAtMs: now + connectingMs });

export const connectorCreate = defineOperation('POST', 'connector.create', {
  summary: 'Connects an MCP server by URL (streamable HTTP).',
  details: [
    "The server's tools are loaded immediately; an unreachable server is refused. One that takes longer than five seconds is stored as",
    '`connecting`, and its tools are loaded after the response: connector.list says how that ended.',
    'A server that requires sign-in is stored as `needs_sign_in` until you sign in on the /connectors page.',
    'A server without dynamic client registration needs an `oauth_client_id`, issued by its operator for the redirect URI',
    '`/settings/connectors/callback` of this service.',
    'Headers, such as one with an API key, are stored encrypted and never shown again.',
    'Only public https URLs are allowed, unless the operator has opened others.',
  ].join(' '),
  access: 'account',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    url: requiredText('URL of the server.'),
    description: optional(z.string().max(1000)),
    category: optional(z.string().max(50)).meta({ description: 'Default: `other`.' }),
    headers: optional(z.record(z.string(), z.string())).meta({
      description: 'Sent with every request, for example Authorization.',
      writeOnly: true,
    }),
    oauth_client_id: optional(z.string().min(1).max(2000)).meta({
      description: "This service's client id at a server that requires sign-in and has no dynamic client registration.",
    }),
    oauth_client_secret: optional(z.string().max(2000)).meta({
      description: 'Stored encrypted and never shown again.',
      writeOnly: true,
    }),
    enabled_by_default: optional(z.boolean()).meta({
      description: 'Whether tasks use it when neither their message nor their project names connectors. Default: false.',
    }),
  }),
  response: z.object({ connector: connectorObject }),
  async handle(input, { principal, now, outwardSignal, write, connectors, intake }) {
    const [name, url] = [readConnectorName(input.name), readUrl(input.url)];
    const headers = readHeaders(input.headers ?? {});
    const key = { accountId: principal.accountId, connectorId: newUuid() };
    const sealed = connectors.seal(headers, key);
    const client = readClient(input);
    const oauth = client && connectors.sealClient(client, key);
    const looking = new AbortController();
    const leave = () => looking.abort(outwardSignal.reason);
    outwardSignal.addEventListener('abort', leave, { once: true });
    const look = connectors.listTools(url, headers, { owner: principal.accountId, signal: looking.signal });
    const found = await settleWithin(intake.clock, answerMs, look);
    outwardSignal.throwIfAborted();
    outwardSignal.removeEventListener('abort', leave);
    if (found) refuseUnusable(found, client !== null);
    const connector = await write(createConnector, {
      ...key,
      ...{ name, url, headers: sealed, oauth, now, ...(found ? readLook(found) : connecting(now)) },
      description: toOneLine(input.description ?? ''),
      category: toOneLine(input.category ?? '') || 'other',
      isDefault: input.enabled_by_default ?? false,
    });
    if (!found)
      connectors.noteLater(
        key,
        look.then((late) => readLook(late, client !== null)),
      );
    return { connector: presentConnector(connector, now) };
  },
});
