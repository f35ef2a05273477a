import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { defaultPublicUrl, Listener, listenFault, listenUrl } from './listen-addresses.ts';

it('waits a moment for a port that another process is giving up', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const app = fastify();
  const refused = once(app.server, 'error');
  const listener = new Listener({ host: '127.0.0.1', port, publicUrl: null, setting: 'ERRAND_PORT', isShared: false });
  const listening = listener.listen(app);
  await refused;
  other.close();
  await listening;
  expect(listener.url).toBe(`http://127.0.0.1:${port}`);
  await app.close();
});

describe('addresses', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:7070', 'http://localhost:7070'],
    ['::1', 'http://[::1]:7070', 'http://localhost:7070'],
    ['0.0.0.0', 'http://localhost:7070', 'http://localhost:7070'],
    ['::', 'http://localhost:7070', 'http://localhost:7070'],
    ['192.0.2.7', 'http://192.0.2.7:7070', 'http://192.0.2.7:7070'],
    ['2001:db8::1', 'http://[2001:db8::1]:7070', 'http://[2001:db8::1]:7070'],
  ])('of a server on %s are %s for programs and %s for people', (address, forPrograms, forPeople) => {
    expect([listenUrl({ address, port: 7070 }), defaultPublicUrl({ address, port: 7070 })]).toEqual([forPrograms, forPeople]);
  });

  it.each([
    ['EADDRINUSE', 'ERRAND_PORT: 80 is in use by another program; choose another port'],
    ['EACCES', 'ERRAND_PORT: this user may not listen on 80; choose a port from 1024 on'],
    ['EADDRNOTAVAIL', 'ERRAND_HOST: example.com is not an address of this machine'],
    ['ENOTFOUND', 'ERRAND_HOST: example.com cannot be resolved'],
    ['constructor', 'ERRAND_HOST: cannot listen on example.com:80: why'],
  ])('that cannot be had (%s) name the setting', (code, message) => {
    expect(listenFault(Object.assign(new Error('why'), { code }), 'example.com', 80, 'ERRAND_PORT').message).toBe(message);
  });
});
