import { createMcpHandler } from '@modelcontextprotocol/server';
import { type AskOperation, createMcpServer } from './mcp-server.ts';

/** One HTTP request to the MCP server, and whose it is. */
export interface McpExchange {
  request: Request;
  /** The body, parsed; undefined where there is none. */
  body: unknown;
  version: string;
  ask: AskOperation;
}

/**
 * Answers a request of the streamable HTTP transport, of this and of the former protocol. Nothing is kept between requests, so any
 * process can answer any of them.
 */
export async function answerMcp({ request, body, version, ask }: McpExchange): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(version, ask));
  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
}
