import type { Clock } from '@errand/base/clock.ts';

const most = { wrongCodes: 5, chats: 10_000, perMinute: 30 };
const memoryMs = 10 * 60_000;

interface Stranger {
  untilMs: number;
  isRefused: boolean;
  wrong: number;
}

/**
 * Limits for strangers: one rejection in ten minutes per chat, a few per minute in total, and five attempts at a code. Kept in memory, so
 * flooding the bot causes no writes.
 */
export class RefusalGate {
  readonly #clock: Clock;
  readonly #strangers = new Map<string, Stranger>();
  #minute = { untilMs: 0, count: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  #look(chat: string): Stranger {
    const now = this.#clock.monotonic();
    const known = this.#strangers.get(chat);
    if (known && known.untilMs > now) return known;
    if (this.#strangers.size >= most.chats) this.#strangers.clear();
    const stranger = { untilMs: now + memoryMs, isRefused: false, wrong: 0 };
    this.#strangers.set(chat, stranger);
    return stranger;
  }

  /** Whether to respond to a chat at all now. */
  mayAnswer(chat: string): boolean {
    const stranger = this.#look(chat);
    const now = this.#clock.monotonic();
    if (this.#minute.untilMs <= now) this.#minute = { untilMs: now + 60_000, count: 0 };
    if (stranger.isRefused || this.#minute.count >= most.perMinute) return false;
    stranger.isRefused = true;
    this.#minute.count += 1;
    return true;
  }

  /** Whether to check a code from this chat; wrong ones are counted. */
  mayTry(chat: string): 'yes' | 'last' | 'no' {
    const stranger = this.#look(chat);
    stranger.wrong += 1;
    if (stranger.wrong > most.wrongCodes) return 'no';
    return stranger.wrong === most.wrongCodes ? 'last' : 'yes';
  }

  remove(chat: string): void {
    this.#strangers.delete(chat);
  }
}
