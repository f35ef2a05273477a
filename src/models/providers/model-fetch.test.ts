import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '@errand/base/clock.ts';
import { ModelFault } from '../model.ts';
import { createSender } from './model-exchange.ts';
import { createFetch } from './model-fetch.ts';
import { defaultWireLimits, longestRefusal, type ModelLimits } from './wire-limits.ts';

function createWire(clock: Clock, limits: ModelLimits = defaultWireLimits): typeof fetch {
  return createFetch(createSender(clock, limits));
}

/** A clock that stands still until it is advanced. */
class StillClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Map<object, { run: () => void; atMs: number }>();

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  setTimer(run: () => void, delayMs: number): { cancel(): void } {
    const key = {};
    this.#timers.set(key, { run, atMs: this.#nowMs + delayMs });
    return { cancel: () => void this.#timers.delete(key) };
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    for (const [key, timer] of this.#timers) {
      if (timer.atMs > this.#nowMs) continue;
      this.#timers.delete(key);
      timer.run();
    }
  }
}

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

async function faultOf(reply: Promise<unknown>): Promise<ModelFault> {
  const error = await reply.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelFault);
  return error as ModelFault;
}

describe('createFetch', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const url = await serve((request, response) => {
      response.writeHead(418, { 'retry-after': '3', 'x-said': request.headers['x-say'] });
      request.pipe(response);
    });
    const response = await createWire(new StillClock())(url, { ...post, headers: { 'X-Say': 'hello' }, body: '{"a":1}' });
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-said')]).toEqual([418, '3', 'hello']);
    expect(await response.text()).toBe('{"a":1}');
  });

  it('reports a provider as unavailable after a minute of silence, before or after its first byte', async () => {
    const clock = new StillClock();
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<ServerResponse>();
    const url = await serve((_, response) => resolveAsked(response));
    const reply = createWire(clock)(url, post);
    const closed = once(await asked, 'close');
    clock.advance(60_000);
    expect((await faultOf(reply)).kind).toBe('unavailable');
    await closed;

    const talking = await serve((_, response) => void response.write('data: one\n\n'));
    const reader = (await createWire(clock)(talking, post)).body?.getReader();
    await reader?.read();
    const next = reader?.read() ?? Promise.resolve();
    clock.advance(60_000);
    expect((await faultOf(next)).kind).toBe('unavailable');
    expect(clock.timerCount).toBe(0);
  });

  it('allows another silence before the first byte than after it, and headers are no byte', async () => {
    const clock = new StillClock();
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<ServerResponse>();
    const url = await serve((_, response) => {
      response.flushHeaders();
      resolveAsked(response);
    });
    const wire = createWire(clock, { ...defaultWireLimits, firstByteMs: 300_000, stallMs: 20_000 });
    const reader = (await wire(url, post)).body?.getReader();
    const first = reader?.read();
    clock.advance(299_999);
    (await asked).write('1');
    await first;
    const next = reader?.read() ?? Promise.resolve();
    clock.advance(20_000);
    expect((await faultOf(next)).message).toBe('no data for 20 s');
  });

  it('restarts the minute with every byte', async () => {
    const clock = new StillClock();
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<ServerResponse>();
    const url = await serve((_, response) => {
      response.write('1');
      resolveAsked(response);
    });
    const reader = (await createWire(clock)(url, post)).body?.getReader();
    await reader?.read();
    clock.advance(59_999);
    (await asked).write('2');
    await reader?.read();
    clock.advance(59_999);
    (await asked).end('3');
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('3');
  });

  it('reports a provider as unavailable if a reply takes more than half an hour', async () => {
    const clock = new StillClock();
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<ServerResponse>();
    const url = await serve((_, response) => {
      response.write(': still here\n\n');
      resolveAsked(response);
    });
    const reader = (await createWire(clock)(url, post)).body?.getReader();
    const response = await asked;
    const closed = once(response, 'close');
    await reader?.read();
    for (let minute = 0; minute < 59; minute++) {
      clock.advance(30_000);
      response.write(': still here\n\n');
      await reader?.read();
    }
    const next = reader?.read() ?? Promise.resolve();
    clock.advance(30_000);
    const fault = await faultOf(next);
    expect([fault.kind, fault.message]).toEqual(['unavailable', 'the reply was incomplete after 1800 s']);
    await closed;
    expect(clock.timerCount).toBe(0);
  });

  it('leaves no timer behind', async () => {
    const clock = new StillClock();
    const url = await serve((_, response) => response.end('all'));
    await (await createWire(clock)(url, post)).text();
    expect(clock.timerCount).toBe(0);
  });

  it('limits the size of replies and lines, and disconnects beyond it', async () => {
    const closes: Promise<unknown>[] = [];
    const url = await serve((request, response) => {
      closes.push(once(response, 'close'));
      const line = request.url === '/lines' ? `${'x'.repeat(999)}\n` : 'x'.repeat(1_000);
      const send = () => {
        while (response.write(line));
        response.once('drain', send);
      };
      send();
    });
    const wire = createWire(new StillClock(), { ...defaultWireLimits, replyBytes: 5_000_000, lineBytes: 1_000_000 });
    const long = await faultOf((await wire(url, post)).text());
    const many = await faultOf((await wire(`${url}lines`, post)).text());
    expect([long.kind, many.kind]).toEqual(['malformed', 'malformed']);
    await Promise.all(closes);
  });

  it('reads no more of the body of an error than is used, and keeps its status', async () => {
    const closes: Promise<unknown>[] = [];
    const url = await serve((_request, response) => {
      closes.push(once(response, 'close'));
      response.writeHead(429);
      const send = () => {
        while (!response.destroyed && response.write('x'.repeat(1000))) continue;
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    });
    const reply = await createWire(new StillClock())(url, post);
    expect(reply.status).toBe(429);
    expect((await reply.text()).length).toBeLessThanOrEqual(longestRefusal);
    await Promise.all(closes);
  });

  it('closes the socket immediately when the call is aborted, waiting or reading', async () => {
    const closes: Promise<unknown>[] = [];
    const { promise: asked, resolve: resolveAsked } = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      closes.push(once(response, 'close'));
      if (request.url === '/silent') return resolveAsked();
      response.write('data: one\n\n');
    });
    const wire = createWire(new StillClock());
    const early = new AbortController();
    const waiting = wire(`${url}silent`, { ...post, signal: early.signal });
    await asked;
    early.abort();
    await faultOf(waiting);

    const late = new AbortController();
    const reading = await wire(url, { ...post, signal: late.signal });
    late.abort();
    await faultOf(reading.text());
    await faultOf(wire(url, { ...post, signal: AbortSignal.abort() }));
    await expect(Promise.all(closes)).resolves.toHaveLength(2);
  });

  it('reports a failed connection as unavailable, with the system error code', async () => {
    const url = await serve((request) => void request.socket.destroy());
    expect((await faultOf(createWire(new StillClock())(url, post))).kind).toBe('unavailable');
    const unused = createNetServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    const fault = await faultOf(createWire(new StillClock())(`http://127.0.0.1:${port}/`, post));
    expect([fault.kind, fault.message]).toEqual(['unavailable', 'the connection failed (ECONNREFUSED)']);
  });

  it('reports a truncated reply as unavailable', async () => {
    const url = await serve((_, response) => response.write('half', () => void response.destroy()));
    const response = await createWire(new StillClock())(url, post);
    expect((await faultOf(response.text())).kind).toBe('unavailable');
  });

  it('follows no redirect, so that a key never reaches another host', async () => {
    let calls = 0;
    const url = await serve((request, response) => {
      calls += 1;
      response.writeHead(307, { location: request.url === '/' ? '/elsewhere' : '/' }).end();
    });
    expect((await createWire(new StillClock())(url, post)).status).toBe(307);
    expect(calls).toBe(1);
  });

  it('survives an invalid HTTP status', async () => {
    const server = createNetServer((socket) => void socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await faultOf(createWire(new StillClock())(url, post))).kind).toBe('malformed');
    server.close();
  });
});
