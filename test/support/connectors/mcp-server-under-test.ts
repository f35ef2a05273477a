import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What a test changes of the server while it runs, and what it sees of it. */
export interface McpControls {
  /** Requests without this value in `x-api-key` are refused; null admits all. */
  apiKey: string | null;
  /** Description of the tool `add`. */
  addAbout: string;
  calls: { tool: string; input: unknown; traceparent?: string }[];
  /** Answers only clients of revision 2026-07-28. */
  isModernOnly?: boolean;
}

function buildServer(controls: McpControls, traceparent: string | undefined): McpServer {
  const server = new McpServer({ name: 'garden', version: '1' });
  const note = (tool: string, input: unknown) =>
    controls.calls.push({ tool, input, ...(traceparent !== undefined && { traceparent }) });
  const readOnly = { annotations: { readOnlyHint: true } };
  server.registerTool(
    'add',
    { description: controls.addAbout, inputSchema: z.object({ a: z.number(), b: z.number() }), ...readOnly },
    (input) => {
      note('add', input);
      return { content: [{ type: 'text', text: String(input.a + input.b) }] };
    },
  );
  server.registerTool('plant', { description: 'Plants something.', inputSchema: z.object({ what: z.string() }) }, (input) => {
    note('plant', input);
    return { content: [{ type: 'text', text: `planted ${input.what}` }] };
  });
  server.registerTool('picture', { description: 'Shows it.', inputSchema: z.object({}), ...readOnly }, () => ({
    content: [{ type: 'image', data: Buffer.from('bytes').toString('base64'), mimeType: 'image/png' }],
  }));
  server.registerTool('fail', { description: 'Fails.', inputSchema: z.object({}), ...readOnly }, () => ({
    content: [{ type: 'text', text: 'it did not work' }],
    isError: true,
  }));
  return server;
}

async function answer(controls: McpControls, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (controls.apiKey !== null && request.headers['x-api-key'] !== controls.apiKey) {
    response.writeHead(401).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  const handler = createMcpHandler(
    () => buildServer(controls, headers.get('traceparent') ?? undefined),
    controls.isModernOnly ? { legacy: 'reject' } : {},
  );
  const reply = await handler.fetch(
    new Request(`http://127.0.0.1${request.url ?? '/'}`, { method: request.method ?? 'GET', headers, body }),
  );
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  response.end(Buffer.from(await reply.arrayBuffer()));
}

/** An MCP server over streamable HTTP, built on the official package. */
export class McpServerUnderTest {
  readonly controls: McpControls = { apiKey: null, addAbout: 'Adds two numbers.', calls: [] };
  readonly #server = createServer((request, response) => void answer(this.controls, request, response));

  static async start(): Promise<McpServerUnderTest> {
    const server = new McpServerUnderTest();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
