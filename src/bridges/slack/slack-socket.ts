import { type Clock, type Timer } from '@errand/base/clock.ts';
import { ChatFault } from '../platform/chat-platform.ts';

const openTimeoutMs = 20_000;
/** Slack pings far more often; a connection silent for this long is considered dead. */
const idleTimeoutMs = 15 * 60_000;
const longestText = 4 * 1024 * 1024;
const longestQueue = 1000;

/**
 * One connection in Slack's Socket Mode: yields what arrives, in order, until either side closes it. The service dials out, so it needs no
 * public URL.
 */
export async function* readSocket(
  url: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<{ text: string; answer(text: string): void }> {
  const socket = new WebSocket(url);
  const queue: string[] = [];
  let problem: string | null = null;
  let wake = () => {};
  let timer: Timer | undefined;
  const end = (reason: string) => {
    problem ??= reason;
    wake();
  };
  const expect = (delayMs: number) => {
    timer?.cancel();
    timer = clock.setTimer(() => end('the connection is silent'), delayMs);
  };
  const onAbort = () => end('it was ended');
  signal.addEventListener('abort', onAbort, { once: true });
  socket.addEventListener('close', () => end('the connection was closed'));
  socket.addEventListener('error', () => end('the connection failed'));
  socket.addEventListener('message', ({ data }) => {
    expect(idleTimeoutMs);
    if (typeof data !== 'string' || data.length > longestText || queue.length >= longestQueue) end('it says too much');
    else queue.push(data);
    wake();
  });
  expect(openTimeoutMs);
  const answer = (text: string) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  try {
    for (;;) {
      const text = queue.shift();
      if (text !== undefined) yield { text, answer };
      else if (problem !== null) throw new ChatFault('away', problem);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    timer?.cancel();
    signal.removeEventListener('abort', onAbort);
    socket.close();
  }
}
