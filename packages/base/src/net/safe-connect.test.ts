import { afterEach, describe, expect, it } from 'vitest';
import { type RawServer, startTrap } from '../../../../test/net/raw-server.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createSafeDial } from './safe-connect.ts';

const servers: RawServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function startServer(): Promise<RawServer> {
  const server = await startTrap('127.0.0.1', 0);
  servers.push(server);
  return server;
}

describe('a connection to a server that a stranger has chosen', () => {
  const dialTo = (address: string, allow: readonly string[]) =>
    createSafeDial({ allow, clock: new TestClock(), lookup: async () => [address] });

  it('is refused to an address that is not public, whatever the name, and nothing is dialed', async () => {
    const server = await startServer();
    const dial = dialTo('127.0.0.1', ['10.0.0.0/8']);
    await expect(dial(new URL(`http://models.example.com:${server.port}/v1`))).rejects.toMatchObject({
      kind: 'blocked',
      message: 'the host models.example.com resolves to an address that is not public',
    });
    expect(server.connectionCount).toBe(0);
  });

  it('is not made without TLS unless private addresses are open', async () => {
    await expect(dialTo('127.0.0.1', [])(new URL('http://models.example.com/v1'))).rejects.toMatchObject({ kind: 'blocked' });
  });

  it('is made to an address that the operator has opened, and given up when its caller is', async () => {
    const server = await startServer();
    const dial = dialTo('127.0.0.1', ['127.0.0.0/8']);
    const url = new URL(`http://models.example.com:${server.port}/v1`);
    const socket = await dial(url);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    await expect(dial(url, AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  });
});
