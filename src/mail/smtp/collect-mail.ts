import type { Readable } from 'node:stream';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

/** The time in which any mail may arrive, and the minimum bytes per millisecond beyond it: those of HTTP. */
const graceMs = 30_000;
const slowestBytesPerMs = 64;

export interface MailSpace {
  /** How long the mail may be. */
  mostBytes: number;
  /** Called when it has become longer: nothing of it is held from then on. */
  overflow(): void;
}

/** Ends a stream that is slow: memory is reserved for it. Returns what ends the watch. */
function watchPace(stream: Readable, clock: Clock, received: () => number): () => void {
  const startMs = clock.monotonic();
  let timer: Timer;
  const look = () => {
    const leftMs = startMs + graceMs + received() / slowestBytesPerMs - clock.monotonic();
    if (leftMs > 0) timer = clock.setTimer(look, leftMs);
    else stream.destroy(new SmtpRefusal(421, 'The mail arrives too slowly'));
  };
  look();
  return () => timer.cancel();
}

/** All of a mail; null if it is longer than its space, after its end. Rejects if its sender breaks off or is too slow. */
export async function collectMail(
  stream: Readable,
  clock: Clock,
  { mostBytes, overflow }: MailSpace,
): Promise<Uint8Array | null> {
  // In one piece: a sender decides into how many chunks its bytes come, and each would cost more than its bytes.
  let space: Buffer | null = Buffer.allocUnsafeSlow(mostBytes);
  let length = 0;
  const endWatch = watchPace(stream, clock, () => length);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (space === null) continue;
      if (length + chunk.length > mostBytes) {
        space = null;
        endWatch();
        overflow();
      } else {
        space.set(chunk, length);
        length += chunk.length;
      }
    }
  } finally {
    endWatch();
  }
  // A copy without the rest of the space, with which it would go to the thread that reads it.
  return space && new Uint8Array(space.subarray(0, length));
}
