import type { Clock } from '../clock.ts';

/** Spans of measurement: a shorter one says little, a longer one is of the past. */
const leastSpanMs = 50;
const longestSpanMs = 250;

/** A request that takes longer does not wait for this process. */
const longestWaitMs = 2000;

/** An answer under way; its caller no longer waits when its head is sent, as that of a stream. */
interface Answer {
  readonly headersSent: boolean;
  /** Whether it waits for another server, or for its caller to send something, and so says nothing of the load here. */
  readonly awaitsOthers?: boolean;
}

/** What callers feel of the load of a process. */
export interface Load {
  /** Requests that wait for their answers at the same time, on average. */
  waiting: number;
  /** Milliseconds that a request waits for its answer, on average; 0 if none has been answered. */
  waitMs: number;
}

/** Measures how many callers wait, and for how long, so that background work can step back for them. */
export class LoadGauge {
  readonly #clock: Clock;
  /** When the requests arrived that wait, the oldest first. */
  readonly #waiting = new Map<Answer, number>();
  #load: Load = { waiting: 0, waitMs: 0 };
  #since = 0;
  #countedAt = 0;
  /** Milliseconds that requests have waited since the begin of the span, together. */
  #waitedMs = 0;
  #answers = 0;
  #answersMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arrive(answer: Answer): void {
    const nowMs = this.#clock.monotonic();
    this.#count(nowMs);
    this.#waiting.set(answer, nowMs);
  }

  /** Notes that a request is over; it may have been answered long ago. */
  leave(answer: Answer): void {
    const arrivedAt = this.#waiting.get(answer);
    if (arrivedAt === undefined) return;
    const nowMs = this.#clock.monotonic();
    this.#count(nowMs);
    this.#waiting.delete(answer);
    if (answer.awaitsOthers === true) return;
    this.#answers += 1;
    this.#answersMs += nowMs - arrivedAt;
  }

  /** The load of the last span, which takes at least 50 ms. */
  measure(): Load {
    const nowMs = this.#clock.monotonic();
    const spanMs = nowMs - this.#since;
    if (spanMs < leastSpanMs) return this.#load;
    this.#count(nowMs);
    this.#dropOthers(nowMs);
    const waiting = spanMs > longestSpanMs ? this.#waiting.size : this.#waitedMs / spanMs;
    const waitMs = this.#answers === 0 ? this.#load.waitMs : this.#answersMs / this.#answers;
    this.#load = { waiting, waitMs };
    [this.#since, this.#waitedMs, this.#answers, this.#answersMs] = [nowMs, 0, 0, 0];
    return this.#load;
  }

  #count(nowMs: number): void {
    this.#waitedMs += this.#waiting.size * (nowMs - this.#countedAt);
    this.#countedAt = nowMs;
  }

  /** Drops the requests that do not wait for this process. */
  #dropOthers(nowMs: number): void {
    for (const [answer, arrivedAt] of this.#waiting) {
      if (answer.headersSent || answer.awaitsOthers === true || nowMs - arrivedAt > longestWaitMs) this.#waiting.delete(answer);
    }
  }
}
