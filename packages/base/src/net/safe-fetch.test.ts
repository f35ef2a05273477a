import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrap, waitForClose } from '../../../../test/net/raw-server.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createSafeFetch, type OutboundRequest } from './safe-fetch.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}`, server };
}

const clock = new TestClock();
let lookupCount = 0;
const httpClient = createSafeFetch({
  allow: ['127.0.0.1/32', '::1/128'],
  clock,
  lookup: async () => {
    lookupCount += 1;
    return ['127.0.0.1'];
  },
});

function get(url: string, more: Partial<OutboundRequest> = {}) {
  return httpClient.request({
    method: 'GET',
    totalMs: 15_000,
    connectMs: 5_000,
    maxBytes: 65_536,
    allowHttp: true,
    ...more,
    url,
  });
}

describe('an outbound request', () => {
  it('sends method, path, headers and body, and returns the response and its address', async () => {
    const seen: { request?: IncomingMessage; body?: string } = {};
    const { url } = await serve((request, response) => {
      Object.assign(seen, { request, body: '' });
      request.setEncoding('utf8').on('data', (chunk: string) => Object.assign(seen, { body: seen.body + chunk }));
      request.on('end', () => response.writeHead(201, 'Created', { 'x-kind': 'test' }).end('done'));
    });
    const reply = await get(`${url}/a/%C3%A4?b=c&d#e`, {
      method: 'POST',
      body: 'größe',
      headers: { 'Content-Type': 'text/plain' },
    });
    const { status, body, isTruncated, finalUrl, address, headers } = reply;
    expect({ status, body: body.toString(), isTruncated, finalUrl, address }).toEqual({
      status: 201,
      body: 'done',
      isTruncated: false,
      finalUrl: `${url}/a/%C3%A4?b=c&d#e`,
      address: '127.0.0.1',
    });
    expect(headers['x-kind']).toBe('test');
    expect(seen.body).toBe('größe');
    expect(seen.request).toMatchObject({ method: 'POST', url: '/a/%C3%A4?b=c&d' });
    expect(seen.request?.headers).toEqual({
      'content-type': 'text/plain',
      'content-length': '7',
      host: new URL(url).host,
      'accept-encoding': 'identity',
      connection: 'close',
    });
  });

  it('reaches an IPv6 address', async () => {
    const { url } = await serve((_request, response) => response.end('six'), '::1');
    const reply = await get(url);
    expect([reply.body.toString(), reply.address]).toEqual(['six', '::1']);
  });

  it('accepts any status as a response', async () => {
    const { url } = await serve((request, response) => response.writeHead(Number(request.url?.slice(1))).end());
    for (const status of [200, 204, 304, 302, 404, 410, 429, 500, 503])
      expect((await get(`${url}/${status}`)).status).toBe(status);
  });

  it('reads no body if there is none', async () => {
    const { url } = await serve((_request, response) => response.writeHead(200, { 'content-length': '5' }).end());
    expect(await get(url, { method: 'HEAD' })).toMatchObject({ status: 200, isTruncated: false, body: Buffer.alloc(0) });
  });

  it('uses a new connection each time, without cookies, and closes it', async () => {
    const cookies: unknown[] = [];
    const { url, server } = await serve((request, response) => {
      cookies.push(request.headers.cookie);
      response.setHeader('set-cookie', 'a=b').end('x');
    });
    const closed: Promise<unknown>[] = [];
    server.on('connection', (socket) => closed.push(waitForClose(socket)));
    await get(url);
    await get(url);
    expect(cookies).toEqual([undefined, undefined]);
    expect(closed).toHaveLength(2);
    await Promise.all(closed);
  });

  it('leaves no timer and no listener behind', async () => {
    const { url } = await serve((_request, response) => response.end('x'));
    const { signal } = new AbortController();
    await get(url, { signal });
    await expect(get('https://127.0.0.2/', { signal })).rejects.toMatchObject({ kind: 'blocked' });
    expect(clock.timerCount).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('returns the body as received, compressed or not', async () => {
    const zipped = gzipSync('x'.repeat(100_000));
    const { url } = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(zipped));
    const reply = await get(url);
    expect(reply.body.equals(zipped)).toBe(true);
    expect(reply.headers['content-encoding']).toBe('gzip');
  });

  it('truncates a body at the limit, and reports it', async () => {
    const { url } = await serve((request, response) => {
      response.write('01234');
      response.end(request.url === '/long' ? '5678901' : '56789');
    });
    expect(await get(`${url}/exact`, { maxBytes: 10 })).toMatchObject({ isTruncated: false, body: Buffer.from('0123456789') });
    expect(await get(`${url}/long`, { maxBytes: 10 })).toMatchObject({ isTruncated: true, body: Buffer.from('0123456789') });
    expect(await get(`${url}/long`, { maxBytes: 0 })).toMatchObject({ status: 200, isTruncated: true, body: Buffer.alloc(0) });
  });

  it('rejects headers that frame the message or are invalid, before anything is sent', async () => {
    const trap = await startTrap('127.0.0.1');
    ends.push(() => trap.stop());
    const framing = [
      'Host',
      'content-length',
      'Transfer-Encoding',
      'CONNECTION',
      'expect',
      'Upgrade',
      'te',
      'trailer',
      'keep-alive',
    ];
    const more = ['proxy-authorization', 'Proxy-Connection', 'accept-encoding'];
    for (const name of [...framing, ...more]) {
      const refused = { kind: 'blocked', message: `the header ${name.toLowerCase()} must not be set` };
      await expect(get(`http://127.0.0.1:${trap.port}`, { headers: { [name]: 'x' } })).rejects.toMatchObject(refused);
    }
    const broken: Record<string, string>[] = [
      { 'x-a': 'b\r\nhost: c' },
      { 'x a': 'b' },
      { 'x-a\r\nb': 'c' },
      { 'x-a': '\u0000' },
      { 'x-a': '€' },
      { '': 'x' },
    ];
    for (const headers of broken) {
      await expect(get(`http://127.0.0.1:${trap.port}`, { headers })).rejects.toMatchObject({
        kind: 'blocked',
        message: matching(/cannot be sent/),
      });
    }
    expect(trap.connectionCount).toBe(0);
  });
});

describe('a redirect', () => {
  async function serveChain() {
    const received: string[] = [];
    const { url, server } = await serve((request, response) => {
      received.push(`${request.method} ${request.url}`);
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved');
      else response.end('arrived');
    });
    return { url, server, received };
  }

  it('is the response unless redirects are followed', async () => {
    const { url, received } = await serveChain();
    const reply = await get(`${url}/1`);
    expect(reply).toMatchObject({ status: 302, body: Buffer.from('moved'), finalUrl: `${url}/1` });
    expect(received).toEqual(['GET /1']);
  });

  it('is followed up to the limit, and the next one is the response', async () => {
    const { url, received } = await serveChain();
    expect(await get(`${url}/3`, { redirects: 3 })).toMatchObject({
      status: 200,
      body: Buffer.from('arrived'),
      finalUrl: `${url}/0`,
    });
    expect(await get(`${url}/3`, { redirects: 2 })).toMatchObject({
      status: 302,
      body: Buffer.from('moved'),
      finalUrl: `${url}/1`,
    });
    expect(received).toHaveLength(7);
  });

  it('is never followed for a request that may change data', async () => {
    const { url, received } = await serveChain();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      expect((await get(`${url}/1`, { method, redirects: 5 })).status).toBe(302);
    }
    expect(received).toEqual(['POST /1', 'PUT /1', 'PATCH /1', 'DELETE /1']);
  });

  it('forwards only content negotiation headers to another origin', async () => {
    const received: IncomingMessage['headers'][] = [];
    const target = await serve((request, response) => {
      received.push(request.headers);
      response.end();
    });
    const { url } = await serve((request, response) => {
      received.push(request.headers);
      response.writeHead(307, { location: request.url === '/here' ? '/there' : target.url }).end();
    });
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text/html', 'User-Agent': 'test' };
    await get(`${url}/here`, { redirects: 2, headers });
    expect(
      received.map((one) => [one.authorization, one.cookie, one['x-api-key'], one.accept, one['user-agent'], one.host]),
    ).toEqual([
      ['Bearer x', 'a=b', 'k', 'text/html', 'test', new URL(url).host],
      ['Bearer x', 'a=b', 'k', 'text/html', 'test', new URL(url).host],
      [undefined, undefined, undefined, 'text/html', 'test', new URL(target.url).host],
    ]);
  });

  it('is checked like the first URL', async () => {
    const trap = await startTrap('127.0.0.2');
    ends.push(() => trap.stop());
    const targets: Record<string, RegExp> = {
      [`http://127.0.0.2:${trap.port}/`]: /resolves to an address that is not public/,
      [`//127.0.0.2:${trap.port}/`]: /resolves to an address that is not public/,
      'file:///etc/passwd': /redirects to an address that must begin with https:/,
      'data:text/plain,x': /redirects to an address that must begin with https:/,
      'http://a@127.0.0.1/': /redirects to an address that must not contain a user name/,
      'http://127.0.0.1:25/': /redirects to an address that must not use port 25/,
      'http://[': /redirects to an address that must be a complete web address/,
    };
    for (const [location, message] of Object.entries(targets)) {
      const { url } = await serve((_request, response) => response.writeHead(302, { location }).end());
      await expect(get(url, { redirects: 5 })).rejects.toMatchObject({
        kind: 'blocked',
        message: matching(message),
      });
    }
    expect(trap.connectionCount).toBe(0);
  });

  it('does not read the bodies of intermediate responses', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(waitForClose(request.socket));
      if (request.url === '/end') response.end('end');
      // Never ends: waiting for it would take forever.
      else response.writeHead(302, { location: '/end', 'content-length': '5' }).flushHeaders();
      if (request.url === '/some') response.write('x');
    });
    for (const path of ['/none', '/some']) expect((await get(url + path, { redirects: 1 })).body.toString()).toBe('end');
    await Promise.all(closed);
    expect(closed).toHaveLength(4);
  });
});

describe('an aborted request', () => {
  it('does not start', async () => {
    const trap = await startTrap('127.0.0.1');
    ends.push(() => trap.stop());
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(get(`http://127.0.0.1:${trap.port}`, { signal })).rejects.toMatchObject({ kind: 'aborted', cause: reason });
    expect(trap.connectionCount).toBe(0);
    const asked = lookupCount;
    await expect(get(`http://name.test:${trap.port}`, { signal })).rejects.toMatchObject({ kind: 'aborted' });
    expect(lookupCount).toBe(asked);
  });

  it('ends immediately while the response is awaited or read', async () => {
    for (const hasBegun of [false, true]) {
      const controller = new AbortController();
      const gone = Promise.withResolvers<unknown>();
      const { url } = await serve((request, response) => {
        request.socket.on('close', gone.resolve);
        if (hasBegun) response.write('x');
        setImmediate(() => controller.abort());
      });
      await expect(get(url, { signal: controller.signal })).rejects.toMatchObject({
        kind: 'aborted',
        message: 'the request was aborted',
      });
      await gone.promise;
    }
    expect(clock.timerCount).toBe(0);
  });
});
