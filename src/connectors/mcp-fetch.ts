import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';

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

const bodiless = new Set([204, 205, 304]);

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' | null {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : null;
}

/** The server requires a token, or a different one. */
export class SignInNeeded extends Error {
  constructor() {
    super('the server wants its user to sign in, or another key');
    this.name = 'SignInNeeded';
  }
}

/** A response in the form of the Fetch API. */
export function toResponse(reply: OutboundReply): Response {
  if (reply.isTruncated) throw new OutboundFault('too_large', 'the response of the connector is too large');
  const answer = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) answer.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const body = bodiless.has(reply.status) ? null : new Uint8Array(reply.body);
  return new Response(body, { status: reply.status, headers: answer });
}

/**
 * The `fetch` of an MCP client: uses the one HTTP client for URLs from users, restricted to the server's origin, with bounded responses
 * that are read completely. Streams for server notifications are not opened.
 */
export function createMcpFetch(
  httpClient: SafeFetch,
  address: McpAddress,
  { totalMs, maxBytes }: WireLimits,
  allowHttp: boolean,
) {
  const { origin } = new URL(address.url);
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = readMethod(init.method);
    if (method === null || method === 'GET' || url.origin !== origin) return new Response(null, { status: 405 });
    const headers = { ...address.headers, ...Object.fromEntries(new Headers(init.headers)) };
    const reply = await httpClient.request({
      ...{ url: url.href, method, headers, allowHttp, redirects: 0, connectMs: 10_000, totalMs, maxBytes },
      ...(address.owner !== undefined && { owner: address.owner }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
    });
    if (reply.status === 401) throw new SignInNeeded();
    return toResponse(reply);
  };
}
