import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { ThreadWord } from './reader-thread.ts';

/** Sends a chunk; resolves when it has been taken. */
export type Hand<Piece> = (piece: Piece) => Promise<void>;

const waitMs = 30_000;

/** The inside of a reader thread: waits for its one job, does it, and reports the outcome. */
export async function serveReading<Answer, Piece = never>(
  work: (job: unknown, hand: Hand<Piece>) => Promise<Answer>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this is no thread');
  const say = (word: ThreadWord<Piece, Answer>) => port.postMessage(word);
  const hand = async (piece: Piece) => {
    const taken = once(port, 'message');
    say({ kind: 'piece', piece });
    await taken;
  };
  const unused = systemClock.setTimer(() => process.exit(), waitMs);
  const [job] = (await once(port, 'message')) as [unknown];
  unused.cancel();
  try {
    say({ kind: 'answer', answer: await work(job, hand) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say({ kind: 'fault', code: error.code, message: error.message });
  }
}
