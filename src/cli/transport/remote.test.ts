import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { useApiKey } from './credential.ts';
import { openRemote } from './remote.ts';
import { ConnectionLost, StreamRefused } from './transport.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const read = { method: 'GET', path: '/v2/task.list', query: { limit: '5', cursor: 'a&b' } } as const;
const { signal } = new AbortController();

describe('a service at a URL', () => {
  it('receives the key, the query and the body', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(
        `${request.method} ${request.url} ${String(request.headers['x-service-api-key'])} ${String(request.headers['content-type'])}`,
      );
      request.on('data', (chunk) => seen.push(String(chunk)));
      request.on('end', () => response.end('{"ok":true}'));
    });
    const remote = openRemote(url, useApiKey('sk-key'), systemClock);
    expect(await remote.send(read)).toEqual({ status: 200, body: { ok: true } });
    await remote.send({ method: 'POST', path: '/v2/task.stop', body: { task_id: 't' } });
    expect(seen).toEqual([
      'GET /v2/task.list?limit=5&cursor=a%26b sk-key undefined',
      'POST /v2/task.stop sk-key application/json',
      '{"task_id":"t"}',
    ]);
  });

  it('never has its key sent elsewhere by a redirect', async () => {
    let visits = 0;
    const trap = await serve((_, response) => {
      visits++;
      response.end('{"ok":true}');
    });
    const url = await serve((_, response) => response.writeHead(307, { location: trap }).end());
    await expect(openRemote(url, useApiKey('sk-key'), systemClock).send(read)).rejects.toBeInstanceOf(ConnectionLost);
    expect(visits).toBe(0);
  });

  it('has responses without JSON passed on unchanged', async () => {
    const url = await serve((_, response) => response.writeHead(502).end('<html>'));
    expect(await openRemote(url, useApiKey('sk-key'), systemClock).send(read)).toEqual({ status: 502, body: undefined });
  });

  it('is named with the reason, but without the key, if it is unreachable', async () => {
    const url = await serve(() => undefined);
    closers.splice(0).forEach((close) => close());
    const failure = openRemote(url, useApiKey('sk-secret'), systemClock).send(read);
    await expect(failure).rejects.toThrow(new RegExp(`^cannot reach ${url}: .*ECONNREFUSED`));
    await expect(failure).rejects.not.toThrow('sk-secret');
  });

  it('is abandoned after a minute of silence in a stream', async () => {
    const clock = new TestClock();
    const responses: ServerResponse[] = [];
    const url = await serve((_, response) => {
      responses.push(response);
      response.write('a');
    });
    const pieces = openRemote(url, useApiKey('sk-key'), clock).stream(read, signal)[Symbol.asyncIterator]();
    expect(Buffer.from((await pieces.next()).value as Uint8Array).toString()).toBe('a');
    await clock.advance(50_000);
    responses[0]?.write('b');
    expect(Buffer.from((await pieces.next()).value as Uint8Array).toString()).toBe('b');
    const next = pieces.next();
    const end = expect(next).rejects.toBeInstanceOf(ConnectionLost);
    await clock.advance(50_000);
    await clock.advance(10_000);
    await end;
    expect(clock.timerCount).toBe(0);
  });

  it('has its rejection of a stream passed on', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"ok":false}'));
    const pieces = openRemote(url, useApiKey('sk-key'), systemClock).stream(read, signal)[Symbol.asyncIterator]();
    await expect(pieces.next()).rejects.toSatisfy((error) => error instanceof StreamRefused && error.reply.status === 404);
  });
});
