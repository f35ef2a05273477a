import { request, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Egress } from './egress.ts';
import { EgressProxy } from './egress-proxy.ts';

let near: Server;
let opened: Socket[];
let proxy: EgressProxy;

function startProxy(limits: Egress['limits']): Promise<number> {
  const { port } = near.address() as AddressInfo;
  const openNear = () => {
    const socket = connect(port, '127.0.0.1');
    opened.push(socket);
    return once(socket, 'connect').then(() => socket);
  };
  const egress: Egress = { refuse: () => 'closed', onConnect: () => undefined, openNear, ...(limits && { limits }) };
  proxy = new EgressProxy(() => Promise.reject(new Error('nothing is dialed here')), egress);
  proxy.server.listen(0, '127.0.0.1');
  return once(proxy.server, 'listening').then(() => (proxy.server.address() as AddressInfo).port);
}

/** Asks the proxy for a tunnel; the status of its answer. */
async function openTunnel(port: number): Promise<number | undefined> {
  const asking = request({ port, host: '127.0.0.1', method: 'CONNECT', path: 'localhost:80' }).end();
  const [answer] = (await Promise.race([once(asking, 'connect'), once(asking, 'response')])) as [IncomingMessage];
  return answer.statusCode;
}

beforeEach(async () => {
  opened = [];
  near = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(near, 'listening');
});

afterEach(() => {
  proxy.close();
  for (const socket of opened) socket.destroy();
  near.close();
});

describe('the proxy of a sandbox', () => {
  it('opens no connection nearby beyond those that may be open, and one more when one has closed', async () => {
    const port = await startProxy({ open: 2 });
    expect(await Promise.all([openTunnel(port), openTunnel(port)])).toEqual([200, 200]);
    expect(await openTunnel(port)).toBe(429);
    expect(opened).toHaveLength(2);
    const [first] = opened;
    first?.destroy();
    await once(first as Socket, 'close');
    expect(await openTunnel(port)).toBe(200);
  });

  it('opens none when all connections have been made', async () => {
    const port = await startProxy({ connections: 1 });
    expect(await openTunnel(port)).toBe(200);
    expect(await openTunnel(port)).toBe(429);
    expect(opened).toHaveLength(1);
  });
});
