import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpFetch } from './mcp-fetch.ts';

const streamEnded = -32000;

/**
 * The package's transport, except that a request whose stream has ended, and cannot be resumed, fails at once: the package would wait for
 * its result until the time is up.
 */
export async function createMcpTransport(url: URL, { fetch, broken }: McpFetch): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport: Transport } = await import('@modelcontextprotocol/client');
  const transport = new Transport(url, { fetch });
  const send = transport.send.bind(transport);
  const fail = (request: JSONRPCMessage) => {
    if (!('method' in request) || !('id' in request)) return;
    const message = broken() ?? 'the server ended the stream without a result';
    // A request that has its result ignores this.
    transport.onmessage?.({ jsonrpc: '2.0', id: request.id, error: { code: streamEnded, message } });
  };
  transport.send = (message, options) =>
    send(message, {
      ...options,
      onRequestStreamEnd() {
        options?.onRequestStreamEnd?.();
        for (const each of [message].flat()) fail(each);
      },
    });
  return transport;
}
