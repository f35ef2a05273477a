import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Principal } from '../../rules/accounts/access.ts';

/** How many anonymous streams one IP address may have open. */
const maxVisitorStreams = 20;
/** How many streams of one account may be open in this process: each takes a socket and some memory, of which others need some. */
export const maxAccountStreams = 2000;

function tooMany({ kind }: Principal['via']): Fault {
  const text =
    kind === 'visitor'
      ? `At most ${maxVisitorStreams} streams can be open at once without signing in.`
      : `At most ${maxAccountStreams} streams of an account can be open at once. Close those that nobody reads, then try again.`;
  return new Fault('resource_exhausted', text);
}

/** The open streams, so that the service can end them when it stops. */
export class OpenStreams {
  readonly #open = new Map<AbortController, Promise<void>>();
  readonly #counts = new Map<string, number>();
  #hasEnded = false;

  /** Counts a stream of an account, or of an anonymous visitor, until it closes; throws 429 `resource_exhausted` beyond the limit. */
  admit({ accountId, via }: Principal, response: ServerResponse): void {
    const isVisitor = via.kind === 'visitor';
    const owner = isVisitor ? `visitor ${accountId}` : accountId;
    const count = this.#counts.get(owner) ?? 0;
    if (count >= (isVisitor ? maxVisitorStreams : maxAccountStreams)) throw tooMany(via);
    this.#counts.set(owner, count + 1);
    response.once('close', () => {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left > 0) this.#counts.set(owner, left);
      else this.#counts.delete(owner);
    });
  }

  /** Runs a stream; its signal aborts when the reader disconnects or the service stops, even before it began. */
  async run(response: ServerResponse, stream: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    if (this.#hasEnded || response.destroyed) controller.abort();
    else response.once('close', () => controller.abort());
    const done = stream(controller.signal).finally(() => this.#open.delete(controller));
    this.#open.set(controller, done);
    await done;
  }

  /** Ends them all permanently; resolves when the last one is closed. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const all = [...this.#open];
    for (const [controller] of all) controller.abort();
    await Promise.allSettled(all.map(([, done]) => done));
  }
}

/** Regular comments keep proxies from closing a quiet stream; most wait for a minute. */
const keepAliveMs = 25_000;
/** How often to look for quiet streams: once for all, because a timer for each wakes the process dozens of times a second. */
const lookMs = 1000;

/** An open stream, which is sent a sign of life when it has been quiet for 25 seconds. */
export interface BeatingStream {
  /** When something was last written, in monotonic milliseconds. */
  readonly lastWriteAt: number;
  beat(): void;
}

/** The signs of life of all streams of a process. */
export class StreamPulse {
  readonly #clock: Clock;
  readonly #streams = new Set<BeatingStream>();
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(stream: BeatingStream): void {
    this.#streams.add(stream);
    this.#timer ??= this.#clock.setTimer(this.#look, lookMs);
  }

  leave(stream: BeatingStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }

  readonly #look = (): void => {
    const quietSince = this.#clock.monotonic() - keepAliveMs;
    for (const stream of this.#streams) if (stream.lastWriteAt <= quietSince) stream.beat();
    this.#timer = this.#streams.size > 0 ? this.#clock.setTimer(this.#look, lookMs) : null;
  };
}
