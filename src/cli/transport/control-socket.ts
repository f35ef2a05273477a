import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { requestHttp } from '@errand/base/net/node-http.ts';
import { CommandFault } from '../exit-code.ts';
import { ConnectionLost, formatTarget, parseJson, StreamRefused, type Transport, type WireRequest } from './transport.ts';

/** The socket on which the service of a data folder listens for its operator. */
export function controlSocketPath(dataDir: string): string {
  return join(dataDir, 'control.sock');
}

/** Nobody listens on the socket: the file does not exist, or a killed process left it behind. */
const absent = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK']);

/** True if a service listens on the socket. Throws if one may listen there that this user has no access to. */
export async function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (absent.has(error.code ?? '')) resolve(false);
      else reject(new CommandFault(`cannot talk to the service through ${socketPath}: ${error.message}`, { cause: error }));
    });
  });
}

/** The service that runs on a data folder of this machine, for users with access to the folder. */
export function openControl(socketPath: string, account: string | null): Transport {
  const identity = account === null ? {} : { 'x-errand-account': account };

  async function ask(request: WireRequest, signal?: AbortSignal) {
    const body = request.method === 'POST' ? JSON.stringify(request.body ?? {}) : '';
    return new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = requestHttp({
        socketPath,
        path: formatTarget(request),
        method: request.method,
        headers: { host: 'localhost', ...identity, ...(body !== '' && { 'content-type': 'application/json' }) },
        agent: false,
        ...(signal && { signal }),
      });
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  function explain(error: unknown): ConnectionLost {
    return new ConnectionLost(`the service on ${socketPath} does not answer: ${(error as Error).message}`, { cause: error });
  }

  return {
    kind: 'control',
    async send(request) {
      try {
        const response = await ask(request);
        return { status: response.statusCode ?? 0, body: parseJson(await text(response)) };
      } catch (error) {
        throw explain(error);
      }
    },
    async *stream(request, signal) {
      try {
        const response = await ask(request, signal);
        if (response.statusCode !== 200) {
          throw new StreamRefused({ status: response.statusCode ?? 0, body: parseJson(await text(response)) });
        }
        yield* response as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw error instanceof StreamRefused ? error : explain(error);
      }
    },
    async close() {},
  };
}
