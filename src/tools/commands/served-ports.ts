import { type Clock, pause } from '@errand/base/clock.ts';
import type { PersistentSandbox } from '@errand/sandbox/persistent-sandbox';

/** As the system lists sockets: the address in hexadecimal, and 0A for one that listens. */
const listening = /^ *\d+: [0-9A-F]{8,32}:([0-9A-F]{4}) [0-9A-F]{8,32}:0000 0A /gm;
const mostPorts = 16;
const mostBytes = 64 * 1024;
const answerMs = 10_000;
/** The way of commands to the network. */
const forwarderPort = 3128;

/** The ports in what the system lists, lowest first. */
function readListening(text: string): number[] {
  const ports = [...text.matchAll(listening)].map(([, port = '']) => Number.parseInt(port, 16));
  return [...new Set(ports)]
    .filter((port) => port > 0 && port !== forwarderPort)
    .sort((one, other) => one - other)
    .slice(0, mostPorts);
}

/** Where programs of a persistent sandbox listen. Read inside, where its network is. */
export async function listServedPorts(sandbox: Pick<PersistentSandbox, 'start'>, clock: Clock): Promise<number[]> {
  let text = '';
  const process = await sandbox
    .start({
      command: ['cat', '/proc/net/tcp', '/proc/net/tcp6'],
      onOutput: (chunk) => {
        if (text.length < mostBytes) text += chunk.toString('latin1');
      },
    })
    .catch(() => null);
  if (process === null) return [];
  const over = new AbortController();
  await Promise.race([process.ended, pause(clock, answerMs, over.signal).catch(() => undefined)]);
  over.abort();
  if (!process.hasEnded) process.signal('KILL');
  return readListening(text);
}
