import { isLoopbackName } from '@errand/base/net/loopback-name.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { ProviderProblem } from './provider-problem.ts';

/** HTTP clients for a provider. */
export interface ProviderHttpClients {
  /** Requests to the host that the operator configured, wherever it is. */
  own: SafeFetch;
  /** Requests to other hosts named in its responses: public ones, and those that the operator has allowed. */
  others: SafeFetch;
}

/** The request format of the library; bodies are text. */
export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<OutboundReply>;

const limits = { totalMs: 10_000, connectMs: 5_000, maxBytes: 256 * 1024 };

/** A URL of the provider. It must be `https`, unless the provider runs on this machine without it. */
export function readProviderUrl(text: unknown, issuer: string, what: string): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url) throw new ProviderProblem('broken', `its document has no proper ${what}`);
  const mayBePlain = issuer.startsWith('http:') && isLoopbackName(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain)) {
    throw new ProviderProblem('broken', `${what} is no https address`);
  }
  if (url.username !== '' || url.password !== '') throw new ProviderProblem('broken', `${what} contains a user name or password`);
  return url;
}

/** Sends a request to the provider, with limits on time and size. Redirects are not followed: no URL of a provider needs one. */
export function createProviderFetch(issuer: string, httpClients: ProviderHttpClients): ProviderFetch {
  const ownHost = new URL(issuer).hostname;
  return async (text, { method, headers, body }) => {
    const url = readProviderUrl(text, issuer, 'one of its addresses');
    const httpClient = url.hostname === ownHost ? httpClients.own : httpClients.others;
    const request = { url: url.href, method: method === 'POST' ? ('POST' as const) : ('GET' as const), headers, ...limits };
    const isPlain = url.protocol === 'http:';
    try {
      const reply = await httpClient.request({ ...request, ...(body !== undefined && { body }), allowHttp: isPlain });
      if (reply.isTruncated) throw new ProviderProblem('broken', `${url.host} answers with more than ${limits.maxBytes} bytes`);
      return reply;
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      const kind = error.kind === 'blocked' || error.kind === 'too_large' ? 'broken' : 'unreachable';
      const remedy = error.message.includes('not public') ? '; ERRAND_OUTBOUND_ALLOW opens such addresses' : '';
      throw new ProviderProblem(kind, `${error.message}${remedy}`, error);
    }
  };
}
