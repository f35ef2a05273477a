import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';

/** The first port used, below those that a system gives to connections and to listeners without a port of their own. */
const firstPort = 12_000;
const blockCount = 100;
const portsPerBlock = 200;

/** Listens there, and holds nothing open; null where somebody else does. */
async function listen(where: ListenOptions) {
  const server = createServer().listen(where).unref();
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

/** What is listened at to hold a block: the system frees it with its holder. Names without a file exist on Linux alone. */
function holderOf(block: number): ListenOptions {
  if (process.platform === 'linux') return { path: `\0errand-test-ports-${block}` };
  return { port: firstPort + (block + 1) * portsPerBlock - 1, host: '127.0.0.1' };
}

/** Ports that no other thread or process of tests on this machine uses while this thread lives: whoever has the name has the block. */
async function claimBlock(): Promise<number> {
  const first = process.pid % blockCount;
  for (let tried = 0; tried < blockCount; tried += 1) {
    const block = (first + tried) % blockCount;
    if (await listen(holderOf(block))) return firstPort + block * portsPerBlock;
  }
  throw new Error('all ports for tests are taken by others');
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listen({ port, host: '127.0.0.1' });
  probe?.close();
  return probe !== null;
}

let claimed: Promise<number> | null = null;
let next = 0;

/** A port that is given to nobody else while its service is down between two lives. */
export async function findQuietPort(): Promise<number> {
  claimed ??= claimBlock();
  const block = await claimed;
  for (let tried = 0; tried < portsPerBlock; tried += 1) {
    const port = block + next;
    next = (next + 1) % portsPerBlock;
    if (await isFree(port)) return port;
  }
  throw new Error('all ports of this thread are taken');
}

/** Settings that give a service ports that are still its own after a restart. */
export async function findQuietPorts(): Promise<{ ERRAND_PORT: string; ERRAND_CONTENT_PORT: string }> {
  return { ERRAND_PORT: String(await findQuietPort()), ERRAND_CONTENT_PORT: String(await findQuietPort()) };
}
