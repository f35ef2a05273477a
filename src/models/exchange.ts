import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock, Timer } from '../base/clock.ts';
import { requestHttp } from '../base/node-http.ts';
import { ModelFault } from './model.ts';

/** What a reply may take before it counts as no reply. */
export interface WireLimits {
  /** Silence after which the provider counts as gone. */
  stallMs: number;
  /** From the request to the last byte of the reply, for a provider that is never silent and never ends. */
  replyMs: number;
  /** Bytes of one reply. Far more than its text, because each token travels in an envelope. */
  replyBytes: number;
  /** Bytes between two line ends: what the parser behind may have to hold at once. */
  lineBytes: number;
}

export const defaultWireLimits: WireLimits = {
  stallMs: 60_000,
  replyMs: 30 * 60_000,
  replyBytes: 64 << 20,
  lineBytes: 8 << 20,
};

const lineEnd = 0x0a;

function unreachable(cause: unknown): ModelFault {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new ModelFault('unavailable', `the connection failed${code}`, { cause });
}

function toFault(error: unknown): ModelFault {
  return error instanceof ModelFault ? error : unreachable(error);
}

/** Counts the bytes of one reply. */
class ReplyBound {
  readonly #limits: WireLimits;
  #bytes = 0;
  #lineBytes = 0;

  constructor(limits: WireLimits) {
    this.#limits = limits;
  }

  exceededBy(chunk: Buffer): boolean {
    const lastEnd = chunk.lastIndexOf(lineEnd);
    this.#bytes += chunk.length;
    this.#lineBytes = lastEnd === -1 ? this.#lineBytes + chunk.length : chunk.length - lastEnd - 1;
    return this.#bytes > this.#limits.replyBytes || this.#lineBytes > this.#limits.lineBytes;
  }
}

/** Bites once: when nothing has been heard for too long, or when the reply takes too long altogether. One timer does for both. */
class Watchdog {
  readonly #clock: Clock;
  readonly #limits: WireLimits;
  readonly #bite: (fault: ModelFault) => void;
  readonly #startedAt: number;
  #heardAt: number;
  #timer: Timer;

  constructor(clock: Clock, limits: WireLimits, bite: (fault: ModelFault) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bite = bite;
    this.#startedAt = clock.monotonic();
    this.#heardAt = this.#startedAt;
    this.#timer = this.#sleep();
  }

  #sleep(): Timer {
    const { stallMs, replyMs } = this.#limits;
    const wakesAt = Math.min(this.#heardAt + stallMs, this.#startedAt + replyMs);
    return this.#clock.setTimer(() => this.#look(), Math.max(1, wakesAt - this.#clock.monotonic()));
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const { stallMs, replyMs } = this.#limits;
    if (now >= this.#startedAt + replyMs)
      return this.#bite(new ModelFault('unavailable', `the reply was not complete after ${replyMs / 1000} s`));
    if (now >= this.#heardAt + stallMs)
      return this.#bite(new ModelFault('unavailable', `nothing was heard for ${stallMs / 1000} s`));
    this.#timer = this.#sleep();
  }

  feed(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  stop(): void {
    this.#timer.cancel();
  }
}

/** A request that was answered, as far as its head. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: IncomingMessage;
  /** Hands on the body as it comes and resolves at its end. Rejects with a `ModelFault`, or with what `hear` throws. */
  readonly read: (hear: (chunk: Buffer) => void) => Promise<void>;
}

export interface ExchangeRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | undefined;
  signal: AbortSignal | undefined;
}

/** Sends a request; rejects with a `ModelFault` when there is no answer. The caller reads the body to its end. */
export type OpenExchange = (url: URL, request: ExchangeRequest) => Promise<Exchange>;

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

function readBody(message: IncomingMessage, hear: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      try {
        hear(chunk);
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    message.once('end', resolve);
    message.once('error', (error) => reject(toFault(error)));
    message.once('close', () => message.readableEnded || reject(unreachable(null)));
    if (message.errored) reject(toFault(message.errored));
  });
}

/** Reads what has come at once, so that a faulty reply is ended by whoever counts it. */
function openReply(message: IncomingMessage, watchdog: Watchdog, limits: WireLimits): Exchange {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new ModelFault('malformed', `the status ${status} has no meaning`);
  const bound = new ReplyBound(limits);
  message.pause();
  message.on('data', (chunk: Buffer) => {
    watchdog.feed();
    if (bound.exceededBy(chunk)) message.destroy(new ModelFault('malformed', 'the reply is too large'));
  });
  message.pause();
  // What goes wrong is told to whoever reads.
  message.on('error', () => undefined);
  return {
    status,
    message,
    get headers() {
      return joinHeaders(message.headers);
    },
    read(hear) {
      const done = readBody(message, hear);
      message.resume();
      return done;
    },
  };
}

/**
 * Requests to providers. No redirect is followed, so that a key reaches only the configured host; every failure of the connection is
 * a `ModelFault`; aborting destroys the socket at once. On node:http because it costs half of the global `fetch` and answers for its
 * socket.
 */
export function createExchange(clock: Clock, limits: WireLimits = defaultWireLimits): OpenExchange {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      let exchange: { destroy(error: Error): unknown } = send(url, { method, headers })
        .once('response', (message) => {
          exchange = message;
          watchdog.feed();
          try {
            resolve(openReply(message, watchdog, limits));
          } catch (error) {
            // A hostile server must not make an event handler throw.
            reject(error);
            message.destroy();
          }
        })
        .on('error', (error) => reject(toFault(error)))
        .once('close', () => {
          watchdog.stop();
          signal?.removeEventListener('abort', abort);
        })
        .end(body);
      const watchdog = new Watchdog(clock, limits, (fault) => exchange.destroy(fault));
      const abort = () => exchange.destroy(new ModelFault('unavailable', 'the call was aborted'));
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort, { once: true });
    });
}
