import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCertificate, trustTestAuthority } from '../../../../test/net/certificates.ts';
import { RawServer, startTrap } from '../../../../test/net/raw-server.ts';
import { StalledServer } from '../../../../test/net/stalled-server.ts';
import { machineHosts } from '../../../../test/net/url-forms.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { type AddressLookup, createAddressLookup } from './address-lookup.ts';
import type { OutboundFault } from './outbound-fault.ts';
import { createSafeFetch } from './safe-fetch.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function trap(host: string, port = 0): Promise<RawServer> {
  const server = await startTrap(host, port);
  ends.push(() => server.stop());
  return server;
}

const clock = new TestClock();
const connectMs = 5_000;

function get(url: string, lookup: AddressLookup, allow: readonly string[] = ['127.0.0.0/8', '::1/128']) {
  const httpClient = createSafeFetch({ allow, clock, lookup });
  return httpClient.request({ url, method: 'GET', totalMs: 15_000, connectMs, maxBytes: 65_536, allowHttp: true });
}

function find(...addresses: string[]): AddressLookup {
  return async () => addresses;
}

describe('the addresses of a host', () => {
  it('are tried in order until one accepts', async () => {
    const server = await trap('127.0.0.1');
    const reply = await get(`http://many.test:${server.port}/`, find('127.0.0.2', '127.0.0.3', '127.0.0.1', '127.0.0.4'));
    expect([reply.address, server.connectionCount]).toEqual(['127.0.0.1', 1]);
  });

  it('are all rejected without a connection if any of them is not public', async () => {
    const servers = [await trap('127.0.0.1')];
    const port = servers[0]?.port ?? 0;
    servers.push(await trap('127.0.0.2', port), await trap('::1', port));
    for (const addresses of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      [...Array<string>(9).fill('127.0.0.1'), '::1'],
    ]) {
      const fault = await get(`http://mixed.test:${port}/`, find(...addresses), ['127.0.0.1/32']).catch(
        (error: unknown) => error,
      );
      expect(fault).toMatchObject({ kind: 'blocked', message: 'the host mixed.test resolves to an address that is not public' });
    }
    expect(servers.map((server) => server.connectionCount)).toEqual([0, 0, 0]);
  });

  it('are resolved only once: the checked ones are used', async () => {
    const server = await trap('127.0.0.1');
    const other = await trap('127.0.0.2', server.port);
    let count = 0;
    const rebind: AddressLookup = async () => [(count += 1) === 1 ? '127.0.0.1' : '127.0.0.2'];
    const url = `http://rebinding.test:${server.port}/`;
    expect((await get(url, rebind, ['127.0.0.1/32'])).address).toBe('127.0.0.1');
    expect(count).toBe(1);
    await expect(get(url, rebind, ['127.0.0.1/32'])).rejects.toMatchObject({ kind: 'blocked' });
    expect([server.connectionCount, other.connectionCount]).toEqual([1, 0]);
  });

  it('are limited to four attempts', async () => {
    const server = await trap('127.0.0.1');
    const outcome = get(
      `http://many.test:${server.port}/`,
      find('127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1'),
    );
    await expect(outcome).rejects.toMatchObject({
      kind: 'connect',
      message: `the host many.test refuses connections on port ${server.port}`,
    });
    expect(server.connectionCount).toBe(0);
  });

  it('are hidden from the caller, and available in the detail', async () => {
    const fault = (await get('http://inside.test/', find('10.1.2.3')).catch((error: unknown) => error)) as OutboundFault;
    expect(fault.message).not.toContain('10.1.2.3');
    expect(fault.detail).toBe('10.1.2.3: private');
  });
});

describe('every notation of the address of this machine', () => {
  it('is rejected without a connection', async () => {
    const traps = [await trap('127.0.0.1')];
    const port = traps[0]?.port ?? 0;
    traps.push(await trap('::1', port));
    const lookup = createAddressLookup({});
    for (const host of machineHosts) {
      for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`]) {
        const outcome = await get(url, lookup, []).catch((error: unknown) => error);
        expect([url, outcome]).toEqual([url, expect.objectContaining({ kind: 'blocked' })]);
      }
    }
    expect(traps.map((server) => server.connectionCount)).toEqual([0, 0]);
  });
});

describe('a connection that cannot be established', () => {
  it('times out', async () => {
    const stalled = await StalledServer.start();
    ends.push(() => stalled.stop());
    const outcome = get(`http://127.0.0.1:${stalled.port}/`, find()).catch((error: unknown) => error);
    await clock.advance(connectMs - 1);
    expect(clock.timerCount).toBe(2);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ kind: 'timeout', message: '127.0.0.1 could not be reached in time' });
    expect(clock.timerCount).toBe(0);
  });

  it('leaves the other addresses of the host their share of the timeout', async () => {
    const stalled = await StalledServer.start();
    ends.push(() => stalled.stop());
    const server = await trap('127.0.0.2', stalled.port);
    const outcome = get(`http://many.test:${stalled.port}/`, find('127.0.0.1', '127.0.0.2'));
    await clock.advance(connectMs / 2 - 1);
    expect(server.connectionCount).toBe(0);
    await clock.advance(1);
    expect((await outcome).address).toBe('127.0.0.2');
  });

  it('includes a silent name server in its timeout', async () => {
    const outcome = get('https://silent.test/', () => new Promise(() => {})).catch((error: unknown) => error);
    await clock.advance(connectMs);
    expect(await outcome).toMatchObject({ kind: 'timeout', message: 'silent.test could not be reached in time' });
    expect(clock.timerCount).toBe(0);
  });

  it('includes an unanswered TLS handshake in its timeout', async () => {
    const hello = Promise.withResolvers<unknown>();
    const server = await RawServer.start((socket) => socket.once('data', hello.resolve));
    ends.push(() => server.stop());
    const outcome = get(`https://receiver.test:${server.port}/`, find('127.0.0.1')).catch((error: unknown) => error);
    await hello.promise;
    await clock.advance(connectMs);
    expect(await outcome).toMatchObject({ kind: 'timeout', message: 'receiver.test could not be reached in time' });
    await server.waitForSilence();
    expect(clock.timerCount).toBe(0);
  });
});

describe('TLS', () => {
  let distrust = () => {};
  beforeAll(() => {
    distrust = trustTestAuthority();
  });
  afterAll(() => distrust());

  function answerOnce(socket: TLSSocket): void {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret');
  }

  async function serveTls(options: TlsOptions, answer = answerOnce) {
    const received: { names: unknown[]; protocols: unknown[]; requests: string[] } = { names: [], protocols: [], requests: [] };
    const server = createTlsServer(
      { key: readCertificate('key'), ...options },
      (socket: TLSSocket & { servername?: unknown }) => {
        received.names.push(socket.servername);
        received.protocols.push(socket.alpnProtocol);
        socket.on('error', () => {});
        socket.once('data', (bytes: Buffer) => {
          received.requests.push(bytes.toString());
          answer(socket);
        });
      },
    );
    server.on('tlsClientError', () => {});
    server.listen(0);
    await once(server, 'listening');
    ends.push(async () => {
      server.close();
      await once(server, 'close');
    });
    return { port: (server.address() as AddressInfo).port, received };
  }

  it('protects a request to a host whose certificate is valid for the name in the URL', async () => {
    const { port, received } = await serveTls({ cert: readCertificate('valid'), ALPNProtocols: ['h2', 'http/1.1'] });
    for (const host of ['receiver.test', 'RECEIVER.test.', '127.0.0.1', '[::1]']) {
      expect((await get(`https://${host}:${port}/`, find('127.0.0.1'))).body.toString()).toBe('secret');
    }
    expect(received.names).toEqual(['receiver.test', 'receiver.test', false, false]);
    expect(received.protocols).toEqual(Array(4).fill('http/1.1'));
  });

  it('ends with the total timeout if the body is slow', async () => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const { port } = await serveTls({ cert: readCertificate('valid') }, (socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', () => arrived.resolve());
    });
    const outcome = get(`https://receiver.test:${port}/`, find('127.0.0.1')).catch((error: unknown) => error);
    await arrived.promise;
    await clock.advance(15_000);
    expect(await outcome).toMatchObject({ kind: 'timeout', message: 'there was no complete answer in time' });
    await closed.promise;
  });

  it.each([
    ['expired', 'receiver.test', 'CERT_HAS_EXPIRED'],
    ['self-signed', 'receiver.test', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['elsewhere', 'receiver.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['elsewhere', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['valid', 'other.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['valid', '127.0.0.2', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)('sends nothing to a host with a certificate that is not valid: %s for %s', async (name, host, detail) => {
    const { port, received } = await serveTls({ cert: readCertificate(name) });
    const refused = { kind: 'tls', message: `the host ${host} has no valid certificate`, detail };
    await expect(get(`https://${host}:${port}/`, find('127.0.0.1'))).rejects.toMatchObject(refused);
    expect(received.requests).toEqual([]);
  });

  it('is rejected in obsolete versions', async () => {
    const { port, received } = await serveTls({
      cert: readCertificate('valid'),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const refused = { kind: 'tls', message: 'the host receiver.test offers no proper TLS connection' };
    await expect(get(`https://receiver.test:${port}/`, find('127.0.0.1'))).rejects.toMatchObject(refused);
    expect(received.requests).toEqual([]);
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', '\u0015\u0003\u0003\u0000\u0002\u0002\u0028', ''])(
    'is not assumed of a server that answers %j',
    async (bytes) => {
      const server = await RawServer.start((socket) => socket.resume().end(bytes, 'latin1'));
      ends.push(() => server.stop());
      const refused = { kind: 'tls', message: 'the host receiver.test offers no proper TLS connection' };
      await expect(get(`https://receiver.test:${server.port}/`, find('127.0.0.1'))).rejects.toMatchObject(refused);
      await server.waitForSilence();
      expect(clock.timerCount).toBe(0);
    },
  );
});
