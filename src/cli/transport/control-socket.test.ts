import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { controlSocketPath, isServed, openControl } from './control-socket.ts';
import { ConnectionLost } from './transport.ts';

const folder = createFolder('control');
afterAll(() => removeFolder(folder));

describe('a service on a data folder', () => {
  it('is not found without a socket, or behind a stale one', async () => {
    expect(await isServed(join(folder, 'nowhere', 'control.sock'))).toBe(false);
    const stale = join(folder, 'stale.sock');
    writeFileSync(stale, '');
    expect(await isServed(stale)).toBe(false);
  });

  it('is found while it listens, and receives the named account', async () => {
    const path = controlSocketPath(folder);
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ ok: true, account: request.headers['x-errand-account'] ?? null, url: request.url }));
    }).listen(path);
    await once(server, 'listening');
    expect(await isServed(path)).toBe(true);
    const list = { method: 'GET', path: '/v2/task.list' } as const;
    expect((await openControl(path, 'ann@example.com').send(list)).body).toEqual({
      ok: true,
      account: 'ann@example.com',
      url: '/v2/task.list',
    });
    expect((await openControl(path, null).send(list)).body).toEqual({ ok: true, account: null, url: '/v2/task.list' });
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(await isServed(path)).toBe(false);
    await expect(openControl(path, null).send(list)).rejects.toBeInstanceOf(ConnectionLost);
    const { signal } = new AbortController();
    await expect(Readable.from(openControl(path, null).stream(list, signal)).toArray()).rejects.toBeInstanceOf(ConnectionLost);
  });
});
