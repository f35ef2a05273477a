import type { Clock } from '@errand/base/clock.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

/** A mail exists as bytes, in the thread that reads it, and as the files decoded from it, there and here. */
const copies = 4;
const timeoutMs = 30_000;

export interface MailMemoryParts {
  /** The memory of this process for what others send, in bytes. */
  memory: FairGate;
  clock: Clock;
}

/** Reserves memory for a mail; rejects with 451 if there is none for a while. Returns what gives it back. */
export async function reserveMailMemory(
  { memory, clock }: MailMemoryParts,
  { owner, bytes, leaving }: { owner: string; bytes: number; leaving: AbortSignal },
): Promise<() => void> {
  const timeout = new AbortController();
  const busy = new SmtpRefusal(451, 'Too many large mails arrive; try again later');
  const timer = clock.setTimer(() => timeout.abort(busy), timeoutMs);
  try {
    return await memory.enter({ owner, amount: copies * bytes, signal: AbortSignal.any([leaving, timeout.signal]) });
  } finally {
    timer.cancel();
  }
}
