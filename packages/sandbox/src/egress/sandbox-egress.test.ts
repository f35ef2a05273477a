import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import type { Egress } from './egress.ts';
import { openSandbox } from '../open-sandbox.ts';
import type { Sandbox } from '../sandbox.ts';

const names = new Map([
  ['site.test', '127.0.0.1'],
  ['private.test', '10.9.8.7'],
]);

/** Of this machine's addresses, only the test server's may be reached, by its name in these tests. */
const connect = createSafeConnect({
  allow: ['127.0.0.1/32'],
  clock: systemClock,
  lookup: (host) => Promise.resolve([names.get(host) ?? '192.0.2.1']),
});
const availability = await openSandbox({ clock: systemClock, connect });
const gates = () => readdirSync(root).filter((name) => name.startsWith('errand-egress-'));

let server: Server;
let port: number;
let root: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/big') response.end(Buffer.alloc(5_000_000, 'x'));
    else
      request.pipe(response.writeHead(200, { 'x-seen': `${request.method} ${request.url} ${request.headers.host}` }), {
        end: true,
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.close();
  await availability.sandbox?.close();
});

beforeEach(() => {
  root = createFolder('egress');
});

afterEach(() => removeFolder(root));

async function run(command: string, egress?: Partial<Egress>, signal = new AbortController().signal) {
  const connectedHosts: string[] = [];
  const wanted: Egress = { refuse: () => null, onConnect: (host) => connectedHosts.push(host), ...egress };
  const { sandbox } = availability as { sandbox: Sandbox };
  const options = { workspace: { root }, signal, mergesOutput: true, ...(egress && { egress: wanted }) };
  const { stdout, exitCode } = await sandbox.run({ ...options, command });
  return { output: stdout.toString(), exitCode, connectedHosts };
}

describe.skipIf(!availability.sandbox)('a command with egress', () => {
  it('reaches hosts by their names through the proxy, with tunnels and with plain requests', async () => {
    const url = `http://site.test:${port}`;
    const plain = await run(`curl -sS -i -d 'hello' ${url}/plain`, {});
    expect(plain.output).toMatch(new RegExp(`x-seen: POST /plain site\\.test:${port}[^]*hello$`, 'i'));
    expect(plain.connectedHosts).toEqual(['site.test']);
    const tunnel = await run(`curl -sS -p -d 'through' ${url}/tunnel`, {});
    expect(tunnel).toMatchObject({ output: 'through', exitCode: 0 });
    const big = await run(`curl -sS ${url}/big | wc -c`, {});
    expect(big.output.trim()).toBe('5000000');
  });

  it('is denied hosts that are not allowed, with the reason', async () => {
    const closed = ['10.0.0.1', '169.254.169.254', '[fd00::1]', '127.0.0.2', '2130706434', 'private.test', 'site.test:22'];
    for (const host of closed) {
      const { output, connectedHosts } = await run(`curl -sS http://${host}/`, {});
      expect(output, host).toMatch(/errand: .*(not public|must not use|refuses connections)/);
      expect(connectedHosts).toEqual([]);
      const tunnel = await run(`curl -sS -p http://${host}/ 2>&1`, {});
      expect(tunnel.exitCode, host).not.toBe(0);
    }
    const { output } = await run(`curl -sS http://site.test:${port}/`, { refuse: (host) => `${host} is not on the list` });
    expect(output).toBe('errand: site.test is not on the list\n');
  });

  it('has no other egress, and none without the proxy', async () => {
    const trap = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const trapPort = (trap.address() as AddressInfo | null)?.port ?? 0;
    const direct = `: <>/dev/tcp/127.0.0.1/${trapPort}`;
    expect((await run(`(${direct}) 2>&1 && echo reached`, {})).output).not.toContain('reached');
    expect((await run(`curl -sS --noproxy '*' http://site.test:${port}/`, {})).exitCode).not.toBe(0);
    expect((await run(`ls /run/egress; curl -sS http://site.test:${port}/`)).exitCode).not.toBe(0);
    trap.close();
  });

  it('loses its egress when it ends, even if it is stopped', async () => {
    // Other tests open gates in the usual folder.
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = root;
    const stop = new AbortController();
    const sockets = new Promise<void>((resolve) => server.once('connection', (socket) => socket.once('close', () => resolve())));
    const command = `(echo 'POST / HTTP/1.1'; echo 'Host: x'; echo 'Content-Length: 9'; echo; sleep 100) | curl -sSN -T - http://site.test:${port}/`;
    const running = run(command, { onConnect: () => stop.abort(new Error('stopped')) }, stop.signal);
    await expect(running).rejects.toThrow('stopped');
    await sockets;
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    expect(gates()).toEqual([]);
  });
});
