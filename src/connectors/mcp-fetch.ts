import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';

/** Where an MCP server is, and the headers with its keys. */
export interface McpAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface WireLimits {
  totalMs: number;
  maxBytes: number;
}

const bodiless = new Set([204, 205, 304]);

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' | null {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : null;
}

/** The server wants a token, or another one. */
export class SignInNeeded extends Error {
  constructor() {
    super('the server wants its user to sign in, or another key');
    this.name = 'SignInNeeded';
  }
}

/** An answer as programs for browsers see it. */
export function toResponse(reply: OutboundReply): Response {
  if (reply.isTruncated) throw new OutboundFault('too_large', 'the connector answers with too much');
  const answer = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) answer.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const body = bodiless.has(reply.status) ? null : new Uint8Array(reply.body);
  return new Response(body, { status: reply.status, headers: answer });
}

/**
 * The `fetch` of an MCP client: through the one HTTP client for addresses that users name, to the origin of the server alone, each
 * answer bounded and read as a whole. A stream that a server keeps open for news is not asked for.
 */
export function createMcpFetch(httpClient: SafeFetch, address: McpAddress, limits: WireLimits, allowHttp: boolean) {
  const { origin } = new URL(address.url);
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = readMethod(init.method);
    if (method === null || method === 'GET' || url.origin !== origin) return new Response(null, { status: 405 });
    const headers = { ...address.headers, ...Object.fromEntries(new Headers(init.headers)) };
    const reply = await httpClient.request({
      ...{ url: url.href, method, headers, allowHttp, redirects: 0, connectMs: 10_000, ...limits },
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
    });
    if (reply.status === 401) throw new SignInNeeded();
    return toResponse(reply);
  };
}
