import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { calling, callTool, type McpHttpClient, type McpResult, withClient } from '../../../src/connectors/mcp-client.ts';

/** A message for the server. */
export interface Asked {
  request: IncomingMessage;
  id: number | string | undefined;
  method: string | undefined;
  error: { code: number } | undefined;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

/** A server whose every response a test writes. */
export async function serve(answer: Answer) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { id, method, error } = (text === '' ? {} : JSON.parse(text)) as Partial<Asked>;
      seen.push(method ?? `${request.method ?? ''} ${text}`);
      answer({ request, id, method, error }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes a JSON response. */
export const json = (response: ServerResponse, id: unknown, result: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));

/** Answers as a server of an older revision, except what `answer` does itself. */
export function older(answer: (asked: Asked, response: ServerResponse) => boolean): Answer {
  return (asked, response) => {
    if (answer(asked, response)) return;
    const { id, method } = asked;
    if (method === 'initialize') {
      const about = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
      json(response, id, { result: about });
    } else if (id === undefined) response.writeHead(202).end();
    else if (method === 'tools/list') json(response, id, { result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } });
    else json(response, id, { error: { code: -32601, message: 'Method not found' } });
  };
}

/** The result of every call of these servers. */
export const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });

/** Calls its tool `a`. */
export function callOlder(url: string): Promise<McpResult> {
  const local: McpHttpClient = { httpClient: createSafeFetch({ allow: ['127.0.0.0/8'], clock: systemClock }), allowHttp: true };
  const { signal } = new AbortController();
  return withClient(local, { url, headers: {} }, { ...calling, signal }, (client) =>
    callTool(client, { tool: { name: 'a', inputSchema: {} }, input: {}, signal }),
  );
}
