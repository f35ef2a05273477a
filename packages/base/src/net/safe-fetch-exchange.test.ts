import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { flood, RawServer, waitForClose } from '../../../../test/net/raw-server.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createSafeFetch, type OutboundRequest } from './safe-fetch.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const servers: RawServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const clock = new TestClock();
const httpClient = createSafeFetch({ allow: ['127.0.0.1/32'], clock });
const totalMs = 15_000;
const maxBytes = 65_536;

/** More than the limits and the buffers of both ends together. */
const floodBound = 16 * 2 ** 20;

/** Sends a request to a server that reads all of it and then does as the test says. */
async function ask(serve: (socket: Socket) => void, more: Partial<OutboundRequest> = {}) {
  const server = await RawServer.start((socket) => socket.once('data', () => serve(socket)));
  servers.push(server);
  const url = `http://127.0.0.1:${server.port}/`;
  const outcome = httpClient.request({
    method: 'POST',
    body: 'x',
    totalMs,
    connectMs: 5_000,
    maxBytes,
    allowHttp: true,
    ...more,
    url,
  });
  return { server, outcome };
}

const head = 'HTTP/1.1 200 OK\r\n';

/** What a server may send endlessly, after what it sends first, and how that ends. */
const floods: Record<string, { first?: string; block: string; ends: object }> = {
  headers: {
    first: head,
    block: `a: ${'b'.repeat(50)}\r\n`,
    ends: { kind: 'too_large', message: matching(/response headers that are too large/) },
  },
  'one header': {
    first: `${head}a: `,
    block: 'b'.repeat(1000),
    ends: { kind: 'too_large', message: matching(/response headers that are too large/) },
  },
  'a reason': {
    first: 'HTTP/1.1 200 ',
    block: 'b'.repeat(1000),
    ends: { kind: 'too_large', message: matching(/response headers that are too large/) },
  },
  'interim responses': {
    block: 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n',
    ends: { kind: 'too_large', message: matching(/too much data/) },
  },
  'empty lines before the response': {
    block: '\r\n\r\n\r\n\r\n',
    ends: { kind: 'too_large', message: matching(/too much data/) },
  },
  'the extension of a chunk': { first: `${head}transfer-encoding: chunked\r\n\r\n1`, block: ';a=b', ends: { kind: 'protocol' } },
  'chunks with extensions': {
    first: `${head}transfer-encoding: chunked\r\n\r\n`,
    block: `1;${'a'.repeat(5000)}\r\nx\r\n`,
    ends: { kind: 'too_large', message: matching(/too much data/) },
  },
  trailers: { first: `${head}transfer-encoding: chunked\r\n\r\n0\r\n`, block: 'a: b\r\n', ends: { kind: 'protocol' } },
  garbage: {
    block: '\u0000\u0001\u0002garbage',
    ends: { kind: 'protocol', message: matching(/does not respond with valid HTTP/) },
  },
};

describe('a server that never stops sending', () => {
  it.each(Object.entries(floods))('%s is cut off within bounds', async (_name, { first = '', block, ends }) => {
    const sender = Promise.withResolvers<Socket>();
    const { server, outcome } = await ask((socket) => {
      sender.resolve(socket);
      socket.write(first);
      flood(socket, block.repeat(Math.ceil(10_000 / block.length)));
    });
    await expect(outcome).rejects.toMatchObject({ name: 'OutboundFault', ...ends });
    await server.waitForSilence();
    expect((await sender.promise).bytesWritten).toBeLessThan(floodBound);
  });

  it.each([`${head}content-length: ${2 ** 30}\r\n\r\n`, `${head}\r\n`, `${head}transfer-encoding: chunked\r\n\r\n40000000\r\n`])(
    'a gigabyte of body is read up to the limit (%j)',
    async (first) => {
      const sender = Promise.withResolvers<Socket>();
      const { server, outcome } = await ask((socket) => {
        sender.resolve(socket);
        socket.write(first);
        flood(socket, Buffer.alloc(65_536, 'x'));
      });
      const reply = await outcome;
      expect([reply.status, reply.isTruncated, reply.body.length]).toEqual([200, true, maxBytes]);
      await server.waitForSilence();
      expect((await sender.promise).bytesWritten).toBeLessThan(floodBound);
    },
  );

  it('is read completely if chunks of one byte fill the limit exactly', async () => {
    const { outcome } = await ask((socket) => {
      socket.end(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(maxBytes)}0\r\n\r\n`);
    });
    const reply = await outcome;
    expect([reply.isTruncated, reply.body.length]).toEqual([false, maxBytes]);
  });
});

describe('a slow server', () => {
  const drips: Record<string, string> = {
    'after nothing': '',
    'within its status line': 'HTTP/1.',
    'within its headers': `${head}a: b\r\nc`,
    'within its body': `${head}content-length: 5\r\n\r\nabc`,
    'within a chunk': `${head}transfer-encoding: chunked\r\n\r\n5\r\nab`,
    'after an interim response': 'HTTP/1.1 100 Continue\r\n\r\n',
  };

  it.each(Object.entries(drips))('%s is abandoned after the total timeout', async (_where, bytes) => {
    const written = Promise.withResolvers<void>();
    const { server, outcome } = await ask((socket) => socket.write(bytes, () => written.resolve()));
    const fault = outcome.catch((error: unknown) => error);
    await written.promise;
    await clock.advance(totalMs - 1);
    expect(clock.timerCount).toBe(1);
    await clock.advance(1);
    expect(await fault).toMatchObject({ kind: 'timeout', message: 'there was no complete answer in time' });
    await server.waitForSilence();
    expect(clock.timerCount).toBe(0);
  });

  it('does not gain time by sending a byte each second', async () => {
    const arrived = Promise.withResolvers<Socket>();
    const { server, outcome } = await ask((socket) => arrived.resolve(socket));
    const fault = outcome.catch((error: unknown) => error);
    const socket = await arrived.promise;
    for (const byte of 'HTTP/1.1 200 OK\r\na: b\r\n'.slice(0, 15)) {
      socket.write(byte);
      await clock.advance(1_000);
    }
    expect(await fault).toMatchObject({ kind: 'timeout' });
    await server.waitForSilence();
  });

  it('is also abandoned if it does not read the request', async () => {
    const server = await RawServer.start((socket) => socket.pause());
    servers.push(server);
    const request = { method: 'POST', totalMs, connectMs: 5_000, maxBytes, allowHttp: true } as const;
    const outcome = httpClient.request({ ...request, url: `http://127.0.0.1:${server.port}/`, body: Buffer.alloc(2 ** 25) });
    const fault = outcome.catch((error: unknown) => error);
    while (server.connectionCount === 0) await clock.advance(0);
    await clock.advance(totalMs);
    expect(await fault).toMatchObject({ kind: 'timeout' });
    expect(clock.timerCount).toBe(0);
  });
});

describe('an HTTP response', () => {
  const answers: Record<string, string> = {
    nothing: '',
    'an end within the head': 'HTTP/1.1 200 OK\r\nA',
    'an end within the body': `${head}content-length: 5\r\n\r\nabc`,
    'an end within the chunks': `${head}transfer-encoding: chunked\r\n\r\n5\r\nabc`,
    'another protocol': '220 mail.test ESMTP\r\n',
    'an invalid length': `${head}content-length: 1x\r\n\r\nabc`,
    'two lengths': `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nabc`,
    'a length with chunks': `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a chunk without a size': `${head}transfer-encoding: chunked\r\n\r\nxyz\r\n`,
    'a header with a line feed only': `${head}a: b\nc: d\r\n\r\n`,
    'a folded status': 'HTTP/1.1 2000 OK\r\n\r\n',
    'a switch to another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'TLS instead of text': '\u0015\u0003\u0001\u0000\u0002\u0002\u0046',
  };

  it.each(Object.entries(answers))('is a protocol fault if invalid: %s', async (_name, bytes) => {
    const { server, outcome } = await ask((socket) => socket.end(bytes, 'latin1'));
    await expect(outcome).rejects.toMatchObject({
      name: 'OutboundFault',
      kind: 'protocol',
      message: matching(/^the host 127.0.0.1 does not respond/),
    });
    await server.waitForSilence();
    expect(clock.timerCount).toBe(0);
  });

  it('does not include bytes after its end', async () => {
    const { outcome } = await ask((socket) => socket.end(`${head}content-length: 1\r\n\r\naHTTP/1.1 500 No\r\n\r\n`));
    const reply = await outcome;
    expect([reply.status, reply.body.toString()]).toEqual([200, 'a']);
  });

  it('is a protocol fault if the server resets the connection', async () => {
    const { outcome } = await ask((socket) => socket.resetAndDestroy());
    await expect(outcome).rejects.toMatchObject({ kind: 'protocol' });
  });

  it('leaves no connection open if valid', async () => {
    const closed = Promise.withResolvers<unknown>();
    const { outcome } = await ask((socket) => {
      socket.write(`${head}content-length: 1\r\n\r\na`);
      closed.resolve(waitForClose(socket));
    });
    expect((await outcome).body.toString()).toBe('a');
    await closed.promise;
  });
});
