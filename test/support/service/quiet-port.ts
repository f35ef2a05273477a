import { once } from 'node:events';
import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/** The first port used, below those that a system gives to connections and to listeners without a port of their own. */
const firstPort = 12_000;
const portCount = 20_000;
/** Threads of one run begin so far apart that they do not hand out the same port at the same time. */
const portsPerThread = 2_000;

let next = (threadId * portsPerThread + (process.pid % portsPerThread)) % portCount;

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isBound = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.close();
  return isBound;
}

/** A port that the system gives to nobody else while its service is down between two lives. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = firstPort + next;
    next = (next + 1) % portCount;
    if (await isFree(port)) return port;
  }
}

/** Settings that give a service ports that are still its own after a restart. */
export async function findQuietPorts(): Promise<{ ERRAND_PORT: string; ERRAND_CONTENT_PORT: string }> {
  return { ERRAND_PORT: String(await findQuietPort()), ERRAND_CONTENT_PORT: String(await findQuietPort()) };
}
