import { Fault } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply } from '@errand/base/net/safe-fetch.ts';
import { findInputProblem } from '../../rules/connectors/api-input.ts';
import type { ApiAccess, ApiRequest } from '../../rules/connectors/api-operation.ts';
import { type ComposedRequest, composeRequest, isBelow } from '../../rules/connectors/api-request.ts';
import type { ConnectorTool } from '../../rules/connectors/connector.ts';
import { calling, type McpHttpClient, type McpResult } from '../mcp-client.ts';
import { readReply } from './api-reply.ts';

/** An HTTP API and the keys that prove who calls it. */
export interface ApiAddress {
  baseUrl: string;
  access: ApiAccess;
  keys: Readonly<Record<string, string>>;
  owner: string;
}

export interface ApiCall {
  tool: ConnectorTool & { request: ApiRequest };
  input: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  traceparent: string | null;
}

const mostRedirects = 3;

function fail(text: string): McpResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Adds the keys last, so that nothing that a model or a document wrote can stand in their place. */
function sign({ url, headers }: ComposedRequest, { access, keys }: ApiAddress) {
  const signed = new URL(url);
  if (access.keysIn === 'query') {
    for (const [name, value] of Object.entries(keys)) signed.searchParams.set(name, value);
    return { url: signed.href, headers };
  }
  const names = new Set(Object.keys(keys).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { url: signed.href, headers: { ...Object.fromEntries(kept), ...keys } };
}

/** Where a read is sent to instead, below the same address; null if it is not sent elsewhere. Throws for other places. */
function readRedirect({ status, headers }: OutboundReply, request: ComposedRequest, baseUrl: string): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined || request.method !== 'GET') return null;
  const next = URL.parse(headers.location, request.url.href);
  if (next && isBelow(next, baseUrl)) return next;
  if (next?.origin === request.url.origin)
    throw new OutboundFault('blocked', `it redirects elsewhere, and calls stay below ${baseUrl}`);
  throw new OutboundFault('blocked', `it redirects to ${next?.host ?? 'no address'}, and calls stay at ${request.url.host}`);
}

async function send(client: McpHttpClient, address: ApiAddress, request: ComposedRequest, call: ApiCall): Promise<OutboundReply> {
  let current = request;
  for (let left = mostRedirects; ; left -= 1) {
    const { url, headers } = sign(current, address);
    const trace = call.traceparent === null ? {} : { traceparent: call.traceparent };
    const reply = await client.httpClient.request({
      ...{ url, method: current.method, allowHttp: client.allowHttp, redirects: 0, connectMs: 10_000, ...calling },
      headers: { accept: 'application/json, */*;q=0.5', 'user-agent': 'errand', ...trace, ...headers },
      ...(current.body !== undefined && { body: current.body }),
      ...{ owner: address.owner, signal: call.signal },
    });
    const next = readRedirect(reply, current, address.baseUrl);
    if (!next) return reply;
    if (left === 0) throw new OutboundFault('blocked', 'it redirects again and again');
    current = { ...current, url: next };
  }
}

function composeOrExplain({ baseUrl }: ApiAddress, { tool, input }: ApiCall): ComposedRequest | string {
  try {
    return composeRequest(baseUrl, tool, input);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Calls one operation. Whatever the model did wrong, or the API refuses, is a result that tells the model. */
export async function callApi(client: McpHttpClient, address: ApiAddress, call: ApiCall): Promise<McpResult> {
  const { tool, input } = call;
  const problem = findInputProblem(tool.inputSchema, input);
  if (problem !== null) return fail(`Not sent: ${problem}`);
  const request = composeOrExplain(address, call);
  if (typeof request === 'string') return fail(`Not sent: ${request}`);
  const reply = await send(client, address, request, call);
  if (reply.isTruncated)
    return fail(`The answer is larger than ${calling.maxBytes} bytes. Ask for less, for example page by page.`);
  return readReply(reply, `${request.method} ${request.url.pathname}`, address.keys);
}

/** Whether anything answers at the address; rejects with an `OutboundFault` that says why not. */
export async function reachApi(
  { httpClient, allowHttp }: McpHttpClient,
  url: string,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  const request = {
    url,
    method: 'GET' as const,
    allowHttp,
    redirects: 0,
    connectMs: 10_000,
    totalMs: 20_000,
    maxBytes: 64 * 1024,
  };
  await httpClient.request({ ...request, owner, signal });
}
