import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { silentLog } from '@errand/base/log.ts';
import { buildHttpServer, type HttpServerParts } from './http-server.ts';

function openServer(more: Partial<HttpServerParts> = {}) {
  // Our own clock stands still, so its timeouts do not fire here.
  const clock = new TestClock();
  return buildHttpServer({ clock, log: silentLog, gauge: new LoadGauge(clock), ...more }).app;
}

it('reports unexpected errors as internal, without revealing details', async () => {
  const app = openServer();
  app.get('/broken', () => {
    throw new Error('SELECT canary FROM /etc/passwd');
  });
  const { statusCode, body } = await app.inject({ url: '/broken', headers: { host: 'a' } });
  expect([statusCode, JSON.parse(body)]).toEqual([500, expect.objectContaining({ ok: false })]);
  expect(body).not.toMatch(/canary|passwd|face\.test|at /);
  await app.close();
});

describe('the load of a process', () => {
  const holdRequests = async (prepare: (app: ReturnType<typeof openServer>, clock: TestClock) => () => Promise<void>) => {
    const clock = new TestClock();
    const gauge = new LoadGauge(clock);
    const app = openServer({ clock, gauge });
    const settled = prepare(app, clock);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await settled();
    return { clock, gauge, app, sockets };
  };

  it('knows no request whose caller has left before it was admitted', async () => {
    const goOn = Promise.withResolvers<void>();
    let [arrived, left, handled] = [0, 0, 0];
    const { app, gauge, clock, sockets } = await holdRequests((prepared) => {
      prepared.addHook('onRequest', async (_request, reply) => {
        arrived += 1;
        reply.raw.once('close', () => (left += 1));
        await goOn.promise;
      });
      prepared.get('/', () => (handled += 1));
      return () => expect.poll(() => arrived).toBe(10);
    });
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => left).toBe(10);
    goOn.resolve();
    await expect.poll(() => handled).toBe(10);
    await clock.advance(50);
    expect(gauge.measure().waiting).toBe(0);
    await app.close();
  });

  it.each([
    ['of this process', false, 10],
    ['of others', true, 0],
  ])('counts requests that wait for an answer %s: %s', async (_, awaitsOthers, waiting) => {
    const answer = Promise.withResolvers<string>();
    let arrived = 0;
    const { app, gauge, clock, sockets } = await holdRequests((prepared) => {
      prepared.get('/', (_request, reply) => {
        arrived += 1;
        if (awaitsOthers) reply.raw.awaitsOthers = true;
        return answer.promise;
      });
      return () => expect.poll(() => arrived).toBe(10);
    });
    await clock.advance(50);
    gauge.measure();
    await clock.advance(50);
    expect(gauge.measure().waiting).toBe(waiting);
    answer.resolve('done');
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
});

describe('a slow caller', () => {
  it('has five seconds for headers, ten for a request, fifteen without a byte', async () => {
    const app = openServer();
    expect(app.server).toMatchObject({
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      timeout: 15_000,
      keepAliveTimeout: 72_000,
    });
    await app.close();
  });

  it('is not one whose request lay unread because the service itself was busy', async () => {
    const app = openServer();
    app.get('/', () => 'answered');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const accepted = once(app.server, 'connection');
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    await accepted;
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_500);
    expect(await socket.toArray()).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 [^]*answered$/)]);
    await expect.poll(() => app.server.headersTimeout).toBe(5_000);
    await app.close();
  });

  it('is not one that waits for a long answer, for up to three minutes', async () => {
    const clock = new TestClock();
    const work = Promise.withResolvers<string>();
    const app = openServer({ clock, timeouts: { requestTimeout: 10_000, connectionTimeout: 50 } });
    app.post('/long', () => work.promise);
    const arrived = Promise.withResolvers<void>();
    app.post('/endless', () => {
      arrived.resolve();
      return new Promise(() => undefined);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { host: 'a', 'content-type': 'application/json' },
        body: '{}',
      });
    const answer = ask('/long');
    for (let times = 3; times > 0; times -= 1) await once(app.server, 'timeout');
    work.resolve('done');
    expect(await (await answer).text()).toBe('done');
    const cut = expect(ask('/endless')).rejects.toThrow('fetch failed');
    // What the connection of the first request does must not be taken for this.
    await arrived.promise;
    await once(app.server, 'timeout');
    await clock.advance(180_000);
    await cut;
    await app.close();
  });

  it('that does not read its response is disconnected when its connection has been idle for too long', async () => {
    const app = openServer({ timeouts: { requestTimeout: 10_000, connectionTimeout: 200 } });
    app.get('/large', () => Buffer.alloc(64 * 1024 * 1024));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
    const [theirs] = await accepted;
    await once(theirs, 'close');
    expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await app.close();
  });
});
