import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { joinScopes } from '../rules/connectors/connector.ts';
import { composeResponse, openReply } from './mcp-reply.ts';

/** The URL of an MCP server, and the headers with its keys. */
export interface McpAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The account that uses it. */
  owner?: string;
}

export interface WireLimits {
  totalMs: number;
  maxBytes: number;
}

/** Streams of one use that are resumed; a server that ends more of them is not answering. */
const mostResumptions = 50;

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' | null {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : null;
}

/** The server requires a token, or a different one. */
export class SignInNeeded extends Error {
  /** What the token lacks, if it is that: OAuth scopes, perhaps none by name. */
  readonly scope: string | undefined;

  constructor(scope?: string) {
    super('the server wants its user to sign in, or another key');
    this.name = 'SignInNeeded';
    this.scope = scope;
  }
}

async function checkAccess(answer: Response): Promise<void> {
  if (answer.status === 401) throw new SignInNeeded();
  if (answer.status !== 403) return;
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { error, scope } = extractWWWAuthenticateParams(answer);
  if (error === 'insufficient_scope') throw new SignInNeeded(joinScopes(scope));
}

/** A response in the form of the Fetch API. */
export function toResponse(reply: OutboundReply): Response {
  if (reply.isTruncated) throw new OutboundFault('too_large', 'the response of the connector is too large');
  return composeResponse(reply, new Uint8Array(reply.body));
}

interface Message {
  id?: unknown;
  method?: unknown;
}

function parseMessages(text: string): Message[] {
  const parsed = JSON.parse(text) as Message | null | (Message | null)[];
  return [parsed].flat().filter((each) => each !== null);
}

/** Refuses a response that answers another request, or none: the package would wait until the time is up. */
async function checkAnswer(sent: unknown, answer: Response): Promise<void> {
  const [asked] = typeof sent === 'string' ? parseMessages(sent) : [];
  if (asked?.id === undefined || asked.method === undefined || !answer.ok) return;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (answer.status !== 202 && !isJson) return;
  const answers = isJson ? parseMessages(await answer.clone().text()) : [];
  if (!answers.some(({ id }) => id === asked.id)) throw new Error('the server did not answer the request');
}

/** The `fetch` of an MCP client. */
export interface McpFetch {
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  /** Why a stream broke, as far as known. */
  broken(): string | undefined;
}

/**
 * Uses the one HTTP client for URLs from users, restricted to the server's origin, with bounded responses. Streams for server notifications
 * are not opened; those of requests are resumed.
 */
export function createMcpFetch(
  httpClient: SafeFetch,
  address: McpAddress,
  { totalMs, maxBytes }: WireLimits,
  allowHttp: boolean,
): McpFetch {
  const { origin } = new URL(address.url);
  let broken: string | undefined;
  let resumptions = 0;
  const noteBreak = (reason: unknown) => {
    broken = reason instanceof OutboundFault ? reason.message : undefined;
  };
  const isRefused = (url: URL, method: string, sent: Headers) => {
    if (url.origin !== origin) return true;
    if (method !== 'GET') return false;
    if (!sent.has('last-event-id')) return true;
    resumptions += 1;
    return resumptions > mostResumptions;
  };
  const fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = readMethod(init.method);
    const sent = new Headers(init.headers);
    if (method === null || isRefused(url, method, sent)) return new Response(null, { status: 405 });
    const headers = { ...address.headers, ...Object.fromEntries(sent) };
    const request = {
      ...{ url: url.href, method, headers, allowHttp, redirects: 0, connectMs: 10_000, totalMs, maxBytes },
      ...(address.owner !== undefined && { owner: address.owner }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
    };
    const answer = await openReply(httpClient, request, noteBreak);
    await checkAccess(answer);
    await checkAnswer(init.body, answer);
    return answer;
  };
  return { fetch, broken: () => broken };
}
