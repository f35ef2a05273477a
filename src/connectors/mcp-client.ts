import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { Fault } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { connectorLimits, type ConnectorTool } from '../rules/connectors/connector.ts';
import { unreadSchemas } from './mcp-schemas.ts';
import { createMcpFetch, type McpAddress, type McpFetch, SignInNeeded, type WireLimits } from './mcp-fetch.ts';
import { hasValidHeaderMarks } from './mcp-header-marks.ts';
import { createMcpTransport } from './mcp-transport.ts';

export type McpResult = CallToolResult;

export interface McpHttpClient {
  httpClient: SafeFetch;
  /** Accepts `http:` URLs: only if the operator has allowed private addresses. */
  allowHttp: boolean;
}

/** A client whose requests end when the signal aborts. */
export function endWith({ httpClient, allowHttp }: McpHttpClient, signal: AbortSignal): McpHttpClient {
  return { allowHttp, httpClient: { request: (request) => httpClient.request({ ...request, signal }) } };
}

export const listing: WireLimits = { totalMs: 20_000, maxBytes: 4 * 1024 * 1024 };
export const calling: WireLimits = { totalMs: 120_000, maxBytes: 16 * 1024 * 1024 };

/** Why a server could not be used, for the person who connected it; its own message is only quoted briefly. */
export function explainMcp(error: unknown): string {
  if (error instanceof Fault || error instanceof OutboundFault) return error.message;
  if (error instanceof RangeError) return 'the server sends data that is nested too deeply';
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300);
}

/** The reason of this service or its transport among the reasons in which the package wraps it. */
function unwrap(error: unknown): unknown {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof SignInNeeded || reason instanceof OutboundFault || reason instanceof Fault) return reason;
  }
  return error;
}

interface Opening {
  timeout: number;
  signal: AbortSignal;
}

/**
 * Connects in the newest revision of the protocol that both understand. Older servers should refuse what they do not know with a status
 * below 500; one that does not is asked in their way before it counts as broken.
 */
async function openClient(url: URL, fetch: McpFetch, opening: Opening): Promise<Client> {
  const { Client: McpClient, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  const open = async (mode: 'auto' | 'legacy') => {
    const options = { jsonSchemaValidator: unreadSchemas, versionNegotiation: { mode } };
    const client = new McpClient({ name: 'errand', version: '1' }, options);
    try {
      await client.connect(await createMcpTransport(url, fetch), opening);
      return client;
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
  };
  return open('auto').catch((error: unknown) => {
    const isUnclear = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed && unwrap(error) === error;
    if (!isUnclear) throw error;
    return open('legacy');
  });
}

/** Connects, does one thing, and disconnects. No state is kept in between, so any process can do the next. */
export async function withClient<Result>(
  { httpClient, allowHttp }: McpHttpClient,
  address: McpAddress,
  limits: WireLimits & { signal: AbortSignal },
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const fetch = createMcpFetch(httpClient, address, limits, allowHttp);
  let client: Client | undefined;
  try {
    client = await openClient(new URL(address.url), fetch, { timeout: limits.totalMs, signal: limits.signal });
    return await work(client);
  } catch (error) {
    throw unwrap(error);
  } finally {
    await client?.close().catch(() => undefined);
  }
}

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

function readTool({ name, description = '', inputSchema, annotations }: Listed): ConnectorTool | null {
  if (name === '' || name.length > 128 || Buffer.byteLength(JSON.stringify(inputSchema)) > connectorLimits.schemaBytes)
    return null;
  const text = description.toWellFormed().replaceAll('\0', '\ufffd').slice(0, connectorLimits.descriptionLength);
  const isReadOnly = annotations?.readOnlyHint === true;
  return { name, description: text, inputSchema, isReadOnly };
}

/** A page can be empty, so the number of tools alone would not end a list. */
const mostPages = 20;

/**
 * The tools of a server, up to the maximum number; those that are too large are left out. Page by page: the package's own list would hold
 * all pages in memory.
 */
export async function listTools(client: Client, signal: AbortSignal): Promise<ConnectorTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: ConnectorTool[] = [];
  const isModern = client.getProtocolEra() === 'modern';
  const isOffered = ({ inputSchema }: ConnectorTool) => !isModern || hasValidHeaderMarks(inputSchema);
  let cursor: string | undefined;
  for (let left = mostPages; left > 0 && tools.length < connectorLimits.tools; left -= 1) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, { timeout: listing.totalMs, signal });
    tools.push(...page.tools.flatMap((tool) => readTool(tool) ?? []).filter(isOffered));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, connectorLimits.tools);
}

/** Lists the tools of the server at a URL. */
export function listMcpTools(httpClient: McpHttpClient, address: McpAddress, signal: AbortSignal): Promise<ConnectorTool[]> {
  return withClient(httpClient, address, { ...listing, signal }, (client) => listTools(client, signal));
}

export interface McpCall {
  /** The tool as the server listed it. Its schema says which arguments are repeated in headers. */
  tool: Pick<ConnectorTool, 'name' | 'inputSchema'>;
  input: Record<string, unknown>;
  signal: AbortSignal;
}

export function callTool(client: Client, { tool: { name, inputSchema }, input, signal }: McpCall): Promise<McpResult> {
  const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } };
  return client.callTool({ name, arguments: input }, { signal, timeout: calling.totalMs, toolDefinition });
}
