import type { IncomingHttpHeaders } from 'node:http';
import { type AddressLookup, askSystem, createAddressLookup } from './address-lookup.ts';
import { createAddressRules } from './address-rules.ts';
import type { Clock } from '../clock.ts';
import type { FairGate } from '../load/fair-gate.ts';
import { type Dialling, dial } from './safe-fetch-dial.ts';
import { exchange } from './safe-fetch-exchange.ts';
import { Halt } from './safe-fetch-halt.ts';
import { checkHeaders, type Headers, keepPortable } from './safe-fetch-headers.ts';
import { readRedirect, readTarget } from './safe-fetch-target.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Excluding those that frame the message (`host`, `content-length`, `connection` and the like). */
  headers?: Headers;
  body?: Buffer | string;
  /** Accepts `http:` too; by default only `https:`. */
  allowHttp?: boolean;
  /** Redirects to follow, for GET and HEAD only; the next one is returned like any other response. Default 0. */
  redirects?: number;
  /** Overall timeout, including the response body. */
  totalMs: number;
  /** Timeout for name, connection and TLS of each hop. */
  connectMs: number;
  /** Maximum bytes of the response body to read. */
  maxBytes: number;
  signal?: AbortSignal;
  /** The account that asks; its share of the memory for responses counts this one. Default: the service itself. */
  owner?: string;
  /**
   * Receives the body as it arrives, in place of the reply's `body`, which is then empty. The response is read no faster than this receives
   * it. An error that it throws ends the request and rejects it.
   */
  receive?(body: AsyncIterable<Buffer>, head: ReplyHead): Promise<void>;
}

/** What is known about a response before its body. */
export interface ReplyHead {
  status: number;
  headers: IncomingHttpHeaders;
  /** The final URL, after redirects. */
  finalUrl: string;
}

export interface OutboundReply {
  status: number;
  /** Headers with names in lower case; duplicates are joined as in node:http. */
  headers: IncomingHttpHeaders;
  /** The body as received; it is not decompressed. */
  body: Buffer;
  /** True if the body was longer than `maxBytes`. */
  isTruncated: boolean;
  /** The final URL, after redirects. */
  finalUrl: string;
  /** The IP address of the server. */
  address: string;
}

/** The one HTTP client for URLs that users, models or other servers supply. */
export interface SafeFetch {
  /** Rejects only with an `OutboundFault`, or with what `receive` throws. Any status is a response. */
  request(request: OutboundRequest): Promise<OutboundReply>;
}

export interface SafeFetchOptions {
  /** CIDR blocks of private addresses that may be reached. */
  allow: readonly string[];
  clock: Clock;
  /** Name lookup to use in place of the system's name servers. */
  lookup?: AddressLookup;
  /** The memory for response bodies in bytes, divided between accounts. Default: not limited. */
  memory?: FairGate;
}

const redirectStatus = new Set([301, 302, 303, 307, 308]);

/** See docs/operate/outbound-requests.md for the rules. */
export function createSafeFetch({ allow, clock, lookup, memory }: SafeFetchOptions): SafeFetch {
  const rules = createAddressRules(allow);
  // Names known only to this system resolve to addresses that only an allowed block opens.
  const dialing = { rules, lookup: lookup ?? createAddressLookup({ fallback: allow.length > 0 ? askSystem : undefined }) };
  return {
    async request(request) {
      const halt = new Halt(clock, request.signal);
      try {
        halt.limit(request.totalMs, 'there was no complete answer in time');
        return await followRedirects(request, { ...dialing, connectMs: request.connectMs, halt }, memory);
      } finally {
        halt.end();
      }
    },
  };
}

async function followRedirects(
  request: OutboundRequest,
  dialling: Dialling,
  memory: FairGate | undefined,
): Promise<OutboundReply> {
  const { allowHttp = false, redirects = 0 } = request;
  let { headers = {} } = request;
  let url = readTarget(request.url, allowHttp);
  checkHeaders(headers);
  for (let left = redirects; ; left -= 1) {
    const canFollow = left > 0 && (request.method === 'GET' || request.method === 'HEAD');
    const { socket, address } = await dial(url, dialling);
    const wantsBody = (status: number, head: IncomingHttpHeaders) => !(canFollow && isRedirect(status, head));
    const answer = await exchange(socket, { ...request, url, headers, wantsBody, memory }, dialling.halt);
    if (wantsBody(answer.status, answer.headers)) return { ...answer, finalUrl: url.href, address };
    const next = readRedirect(answer.headers.location ?? '', allowHttp, url);
    if (next.origin !== url.origin) headers = keepPortable(headers);
    url = next;
  }
}

function isRedirect(status: number, headers: IncomingHttpHeaders): boolean {
  return redirectStatus.has(status) && headers.location !== undefined;
}
