import { z } from 'zod';
import { explainSignIn, type NamedTool } from '../rules/connectors/connector.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { defineTool, type Tool } from '../tools/toolbox/tool.ts';
import { explainMcp, type McpResult } from './mcp-client.ts';
import { SignInNeeded } from './mcp-fetch.ts';

const input = z.looseObject({});

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

function explainTool(error: unknown): string {
  return error instanceof SignInNeeded ? explainSignIn(error) : explainMcp(error);
}

type Block = McpResult['content'][number];

/** The text of a content block for the model; bytes go into a workspace file. */
async function readBlock(block: Block, at: number, callId: string, workspace: Workspace): Promise<string> {
  const keep = async (data: string, mimeType = '') => {
    const safeId = callId.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 64);
    const path = `connector-files/${safeId}-${at}.${Object.hasOwn(extensions, mimeType) ? extensions[mimeType] : 'bin'}`;
    await workspace.write(path, Buffer.from(data, 'base64'));
    return path;
  };
  if (block.type === 'text') return block.text;
  if (block.type === 'image' || block.type === 'audio') {
    return `[${block.type}, kept as ${await keep(block.data, block.mimeType)}]`;
  }
  if (block.type === 'resource') {
    const { resource } = block;
    if ('text' in resource) return resource.text;
    return `[${resource.mimeType ?? 'file'}, kept as ${await keep(resource.blob, resource.mimeType)}]`;
  }
  return `[link to ${block.uri}]`;
}

async function readResult(result: McpResult, callId: string, workspace: Workspace): Promise<string> {
  const texts = await Promise.all(result.content.map((block, at) => readBlock(block, at, callId, workspace)));
  if (texts.length > 0) return texts.join('\n');
  return result.structuredContent === undefined ? 'Done.' : JSON.stringify(result.structuredContent, null, 2);
}

export interface ToolServer {
  name: string;
  /** Whether its user has to sign in before it can be used. */
  isSignedOut(): boolean;
  /** `traceparent`: the place of the call in a trace; null for none. */
  call(input: Record<string, unknown>, signal: AbortSignal, traceparent: string | null): Promise<McpResult>;
}

/** A connector's tool. A call with side effects is never repeated, and may need approval. */
export function createMcpTool(
  { modelName, tool, connectorId }: NamedTool,
  { name: connectorName, isSignedOut, call }: ToolServer,
): Tool {
  return defineTool({
    name: modelName,
    description: tool.description === '' ? `${tool.name} of the connector ${connectorName}.` : tool.description,
    input,
    inputSchema: tool.inputSchema,
    effect: tool.isReadOnly ? 'retry' : 'once',
    connectorId,
    serverName: tool.name,
    asksFor: () => (isSignedOut() ? 'connectorOauthExpired' : tool.isReadOnly ? null : 'connectorAction'),
    // The user's data on other services is private (docs/internals/decisions/0020-egress-depends-on-what-a-task-has-read.md).
    reads: 'private',
    summarize: (given) => ({
      brief: `${connectorName}: ${tool.name}`,
      action: `Using ${connectorName}`,
      param: JSON.stringify(given),
    }),
    async run(given, { callId, signal, workspace, traceparent = null }) {
      try {
        const result = await call(given, signal, traceparent);
        const output = await readResult(result, callId, workspace);
        return { status: result.isError === true ? 'error' : 'success', output };
      } catch (error) {
        signal.throwIfAborted();
        return { status: 'error', output: `The connector ${connectorName} failed: ${explainTool(error)}` };
      }
    },
  });
}
