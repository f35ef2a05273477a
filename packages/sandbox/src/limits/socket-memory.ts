import { readText } from './kernel-text.ts';

/** Sockets that any program may have, whatever their buffers contain: at most 50 MB. */
const freeSockets = 256;
/** Data waiting in a connection takes up to twice its size. */
const overhead = 2;

/** Sent and not received, and received and not read, of each connection. */
const queues = / ([0-9A-F]{8}):([0-9A-F]{8}) \d\d:/g;

/** The default buffer size of a socket, which the seccomp filter does not let programs change. */
function readBufferBytes(): number {
  return Number(readText('/proc/sys/net/core/wmem_default')) || 212_992;
}

/**
 * The kernel memory that the sockets of a network namespace use, given by its folder in /proc. Each beyond the first ones counts as if its
 * buffer were full: the kernel does not report its content. TCP connections have larger buffers, but report it.
 */
export function measureSockets(network: string): number {
  const count = Number(/^sockets: used (\d+)$/m.exec(readText(`${network}/sockstat`))?.[1] ?? 0);
  if (count <= 1) return 0;
  let queued = 0;
  for (const table of ['tcp', 'tcp6']) {
    for (const [, sent = '', received = ''] of readText(`${network}/${table}`).matchAll(queues)) {
      queued += Number.parseInt(sent, 16) + Number.parseInt(received, 16);
    }
  }
  return overhead * queued + Math.max(0, count - freeSockets) * readBufferBytes();
}
