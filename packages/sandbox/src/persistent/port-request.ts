import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Connection } from '../sandbox.ts';
import type { Clock } from '@errand/base/clock.ts';

const headMs = 60_000;
const restMs = 60_000;
const mostHeaderBytes = 16 * 1024;
const mostBytes = 64 * 1024 * 1024;

export interface PortRequest {
  port: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

/** Asks a program behind a connection over HTTP. Rejects if it does not answer in that way, or not in time. */
export function requestFromPort(socket: Connection, wanted: PortRequest, clock: Clock): Promise<IncomingMessage> {
  const { port, method, path, body } = wanted;
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(() => socket.destroy(new Error('no answer in time')), headMs);
    const fail = (error: Error) => {
      timer.cancel();
      socket.destroy();
      reject(error);
    };
    // Development servers answer only to the name of their own machine; what they pack, nobody here could look into.
    const own = { host: `localhost:${port}`, 'accept-encoding': 'identity', connection: 'close' };
    const length = body === null ? {} : { 'content-length': String(body.length) };
    try {
      const request = sendRequest({
        ...{ method, path, maxHeaderSize: mostHeaderBytes, setHost: false },
        headers: { ...wanted.headers, ...length, ...own },
        createConnection: () => socket,
      });
      request.on('error', fail);
      request.once('close', () => fail(new Error('no answer')));
      request.once('upgrade', (_, upgraded) => upgraded.destroy());
      request.once('response', (response) => {
        timer.cancel();
        resolve(response);
      });
      request.end(body ?? undefined);
    } catch (error) {
      // A character that a path or header must not have.
      fail(error as Error);
    }
  });
}

/** The body of an answer in pieces of a size. Rejects if it pauses for long, breaks off, or is too large. */
export async function* readPieces(response: IncomingMessage, size: number, clock: Clock): AsyncGenerator<Buffer> {
  const watch = () => clock.setTimer(() => response.destroy(new Error('the answer has stopped')), restMs);
  let bytes = 0;
  let timer = watch();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      timer.cancel();
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error('the answer is too large');
      for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
      timer = watch();
    }
  } finally {
    timer.cancel();
    response.destroy();
  }
}
