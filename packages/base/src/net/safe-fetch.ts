import type { IncomingHttpHeaders } from 'node:http';
import { type AddressLookup, askSystem, createAddressLookup } from './address-lookup.ts';
import { createAddressRules } from './address-rules.ts';
import type { Clock } from '../clock.ts';
import { type Dialling, dial } from './safe-fetch-dial.ts';
import { exchange } from './safe-fetch-exchange.ts';
import { Halt } from './safe-fetch-halt.ts';
import { checkHeaders, type Headers, keepPortable } from './safe-fetch-headers.ts';
import { readRedirect, readTarget } from './safe-fetch-target.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Without those that frame the message (`host`, `content-length`, `connection` and the like). */
  headers?: Headers;
  body?: Buffer | string;
  /** Accepts `http:` too; by default only `https:`. */
  allowHttp?: boolean;
  /** Redirects that are followed, by GET and HEAD only; the next one is an answer like any other. Default 0. */
  redirects?: number;
  /** For everything, the body of the answer included. */
  totalMs: number;
  /** For name, connection and TLS of each hop. */
  connectMs: number;
  /** Bytes of the answer's body that are read. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface OutboundReply {
  status: number;
  /** In lower case; several of one name are joined as node:http does. */
  headers: IncomingHttpHeaders;
  /** As it came: nothing is decompressed. */
  body: Buffer;
  /** True where the body was longer than `maxBytes`. */
  isTruncated: boolean;
  /** Where the answer came from, after redirects. */
  finalUrl: string;
  /** The IP address that it came from. */
  address: string;
}

/** The one way out for requests to addresses that users, models or other servers name. */
export interface SafeFetch {
  /** Rejects with an `OutboundFault` and with nothing else. Any status is an answer. */
  request(request: OutboundRequest): Promise<OutboundReply>;
}

export interface SafeFetchOptions {
  /** CIDR blocks that may be reached although they are not public. */
  allow: readonly string[];
  clock: Clock;
  /** In place of the system's name servers. */
  lookup?: AddressLookup;
}

const redirectStatus = new Set([301, 302, 303, 307, 308]);

/** See docs/operate/outbound-requests.md for the rules. */
export function createSafeFetch({ allow, clock, lookup }: SafeFetchOptions): SafeFetch {
  const rules = createAddressRules(allow);
  // Names that only this system knows lead to addresses that only an allowed block opens.
  const dialing = { rules, lookup: lookup ?? createAddressLookup({ fallback: allow.length > 0 ? askSystem : undefined }) };
  return {
    async request(request) {
      const halt = new Halt(clock, request.signal);
      try {
        halt.limit(request.totalMs, 'there was no complete answer in time');
        return await followRedirects(request, { ...dialing, connectMs: request.connectMs, halt });
      } finally {
        halt.end();
      }
    },
  };
}

async function followRedirects(request: OutboundRequest, dialling: Dialling): Promise<OutboundReply> {
  const { allowHttp = false, redirects = 0 } = request;
  let { headers = {} } = request;
  let url = readTarget(request.url, allowHttp);
  checkHeaders(headers);
  for (let left = redirects; ; left -= 1) {
    const canFollow = left > 0 && (request.method === 'GET' || request.method === 'HEAD');
    const { socket, address } = await dial(url, dialling);
    const wantsBody = (status: number, head: IncomingHttpHeaders) => !(canFollow && isRedirect(status, head));
    const answer = await exchange(socket, { ...request, url, headers, wantsBody }, dialling.halt);
    if (wantsBody(answer.status, answer.headers)) return { ...answer, finalUrl: url.href, address };
    const next = readRedirect(answer.headers.location ?? '', allowHttp, url);
    if (next.origin !== url.origin) headers = keepPortable(headers);
    url = next;
  }
}

function isRedirect(status: number, headers: IncomingHttpHeaders): boolean {
  return redirectStatus.has(status) && headers.location !== undefined;
}
