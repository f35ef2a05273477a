import type { OutboundReply, OutboundRequest, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { ChatFault } from './chat-platform.ts';

export interface PlatformHttpClient {
  httpClient: SafeFetch;
  /** Only if the operator has set an `http:` URL. */
  allowHttp: boolean;
}

export interface PlatformApiParts extends PlatformHttpClient {
  /** Base URL, without a trailing slash. */
  baseUrl: string;
}

export type WebCall = Pick<OutboundRequest, 'url' | 'headers' | 'body' | 'signal'> & {
  method: 'GET' | 'POST';
  totalMs: number;
  maxBytes: number;
};

/** One request to a platform. Without a response, the platform counts as away; the URL, which may contain a token, is never reported. */
export async function callWeb({ httpClient, allowHttp }: PlatformHttpClient, call: WebCall): Promise<OutboundReply> {
  try {
    return await httpClient.request({ ...call, allowHttp, redirects: 0, connectMs: 10_000 });
  } catch (error) {
    call.signal?.throwIfAborted();
    throw new ChatFault('away', error instanceof OutboundFault ? error.message : 'the request failed');
  }
}

/** A JSON object, or a fault if the response is none. */
export function readJson({ body, isTruncated, status }: OutboundReply): Record<string, unknown> {
  try {
    const value: unknown = isTruncated ? null : JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new ChatFault('away', `the response is not JSON (status ${status})`);
}
