import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock, Timer } from '../base/clock.ts';
import { ModelFault } from './model.ts';

/** What a reply may take before it counts as no reply. */
export interface WireLimits {
  /** Silence after which the provider counts as gone. */
  stallMs: number;
  /** Bytes of one reply. Far more than its text, because each token travels in an envelope. */
  replyBytes: number;
  /** Bytes between two line ends: what the parser behind may have to hold at once. */
  lineBytes: number;
}

export const defaultWireLimits: WireLimits = { stallMs: 60_000, replyBytes: 64 << 20, lineBytes: 8 << 20 };

const lineEnd = 0x0a;
const bodilessStatuses = new Set([204, 205, 304]);

function unreachable(cause: unknown): ModelFault {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new ModelFault('unavailable', `the connection failed${code}`, { cause });
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

/** Fires when nothing has been heard for too long. */
class Watchdog {
  readonly #clock: Clock;
  readonly #stallMs: number;
  readonly #bite: () => void;
  #timer: Timer;

  constructor(clock: Clock, stallMs: number, bite: () => void) {
    this.#clock = clock;
    this.#stallMs = stallMs;
    this.#bite = bite;
    this.#timer = clock.setTimer(bite, stallMs);
  }

  feed(): void {
    this.#timer.cancel();
    this.#timer = this.#clock.setTimer(this.#bite, this.#stallMs);
  }

  stop(): void {
    this.#timer.cancel();
  }
}

function readHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

function openBody(message: IncomingMessage, watchdog: Watchdog, bound: ReplyBound): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.on('data', (chunk: Buffer) => {
        watchdog.feed();
        if (bound.exceededBy(chunk)) message.destroy(new ModelFault('malformed', 'the reply is too large'));
        else controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once('end', () => controller.close());
      message.once('error', (error) => controller.error(error instanceof ModelFault ? error : unreachable(error)));
      message.once('close', () => watchdog.stop());
      message.pause();
    },
    pull() {
      message.resume();
    },
    cancel() {
      message.destroy();
    },
  });
}

function bodyOf(init: RequestInit | undefined): string {
  if (typeof init?.body !== 'string') throw new TypeError('a model request has a text body');
  return init.body;
}

/**
 * The `fetch` given to the providers. It follows no redirect, so that a key reaches only the configured host; every failure
 * of the connection is a `ModelFault`; aborting destroys the socket at once. On node:http because it costs half of the
 * global `fetch` and answers for its socket.
 */
export function createWire(clock: Clock, limits: WireLimits = defaultWireLimits): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const signal = init?.signal ?? undefined;
      if (signal?.aborted) return reject(signal.reason as Error);
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const outgoing = send(url, { method: init?.method ?? 'POST', headers: Object.fromEntries(new Headers(init?.headers)) });
      const stalled = () => outgoing.destroy(new ModelFault('unavailable', `nothing was heard for ${limits.stallMs / 1000} s`));
      const watchdog = new Watchdog(clock, limits.stallMs, stalled);
      const abort = () => outgoing.destroy(signal?.reason instanceof Error ? signal.reason : undefined);
      signal?.addEventListener('abort', abort, { once: true });
      outgoing.once('response', (message) => {
        const status = message.statusCode ?? 0;
        watchdog.feed();
        const body = openBody(message, watchdog, new ReplyBound(limits));
        const hasBody = !bodilessStatuses.has(status);
        resolve(new Response(hasBody ? body : null, { status, headers: readHeaders(message) }));
      });
      outgoing.once('error', (error) => reject(error instanceof ModelFault ? error : unreachable(error)));
      outgoing.once('close', () => {
        watchdog.stop();
        signal?.removeEventListener('abort', abort);
      });
      outgoing.end(bodyOf(init));
    });
}
