import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isBound = await Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)]);
  probe.close();
  return isBound;
}

/** A port that no outgoing connection is given while its service is down between two lives. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
}
