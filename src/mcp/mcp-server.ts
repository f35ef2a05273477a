import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { Fault } from '@errand/base/fault.ts';
import { type ServiceTool, serviceTools } from './mcp-service-tools.ts';

/** Calls an API operation on behalf of the connected client; rejects with its fault. */
export type AskOperation = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Faults are reported to the model, which can react to them. */
async function answerCall({ operation, toRequest }: ServiceTool, input: object, ask: AskOperation): Promise<CallToolResult> {
  try {
    const answer = await ask(operation, toRequest({ ...input }));
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error;
    return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true };
  }
}

/** The service as an MCP server for one caller. */
export function createMcpServer(version: string, ask: AskOperation): McpServer {
  const server = new McpServer(
    { name: 'errand', title: 'Errand', version },
    {
      instructions:
        'Errand runs agent tasks in the background. Create a task, look at it until it has stopped, read its messages.',
    },
  );
  for (const tool of serviceTools) {
    const { name, title, description, input, isReadOnly } = tool;
    const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: !isReadOnly };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, (given: object) =>
      answerCall(tool, given, ask),
    );
  }
  return server;
}
