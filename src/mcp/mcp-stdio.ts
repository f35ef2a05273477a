import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type AskOperation, createMcpServer } from './mcp-server.ts';

export interface LinesParts {
  stdin: Readable;
  stdout: Writable;
  /** Ends the session from this side. */
  signal: AbortSignal;
  version: string;
  ask: AskOperation;
}

/** Communicates with one program over line-delimited JSON until it closes its end. */
export async function serveLines({ stdin, stdout, signal, version, ask }: LinesParts): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout);
  const ended = once(stdin, 'close', { signal }).catch(() => undefined);
  const service = serveStdio(() => createMcpServer(version, ask), { transport });
  stdin.once('end', () => stdin.destroy());
  await ended;
  await service.close();
}
