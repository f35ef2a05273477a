import { createMcpHandler } from '@modelcontextprotocol/server';
import { type AskOperation, createMcpServer } from './mcp-server.ts';

/** An HTTP request to the MCP server, and its caller. */
export interface McpExchange {
  request: Request;
  /** The parsed body; undefined if there is none. */
  body: unknown;
  version: string;
  ask: AskOperation;
}

/**
 * Answers a request of the streamable HTTP transport, of the current and the previous protocol. No state is kept between requests, so any
 * process can answer any of them.
 */
export async function answerMcp({ request, body, version, ask }: McpExchange): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(version, ask));
  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
}
