import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { requestHttp } from '@errand/base/net/node-http.ts';
import { ModelFault } from '../model.ts';

/** Timeouts and bounds of one reply. */
export interface ModelLimits {
  /** Silence before the first byte of a reply, and after it, after which the connection counts as lost. */
  firstByteMs: number;
  stallMs: number;
  /** From the request to the last byte of the reply, for a provider that keeps sending forever. */
  replyMs: number;
  /** Bytes of one reply. Far more than its text, because each token has an envelope. */
  replyBytes: number;
  /** Bytes between two line ends, which the parser has to buffer. */
  lineBytes: number;
}

export const defaultWireLimits: ModelLimits = {
  firstByteMs: 60_000,
  stallMs: 60_000,
  replyMs: 30 * 60_000,
  replyBytes: 64 << 20,
  lineBytes: 8 << 20,
};

const lineEnd = 0x0a;
const bodilessStatuses = new Set([204, 205, 304]);

function unreachable(cause: unknown): ModelFault {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new ModelFault('unavailable', `the connection failed${code}`, { cause });
}

function stalled(silenceMs: number): ModelFault {
  return new ModelFault('unavailable', `no data for ${silenceMs / 1000} s`);
}

function endless({ replyMs }: ModelLimits): ModelFault {
  return new ModelFault('unavailable', `the reply was incomplete after ${replyMs / 1000} s`);
}

/** Counts the bytes of one reply. */
class ReplyBound {
  readonly #limits: ModelLimits;
  #bytes = 0;
  #lineBytes = 0;

  constructor(limits: ModelLimits) {
    this.#limits = limits;
  }

  exceededBy(chunk: Buffer): boolean {
    const lastEnd = chunk.lastIndexOf(lineEnd);
    this.#bytes += chunk.length;
    this.#lineBytes = lastEnd === -1 ? this.#lineBytes + chunk.length : chunk.length - lastEnd - 1;
    return this.#bytes > this.#limits.replyBytes || this.#lineBytes > this.#limits.lineBytes;
  }
}

/** Fires once: on a stall, or when the reply takes too long overall. */
class Watchdog {
  readonly #clock: Clock;
  readonly #limits: ModelLimits;
  readonly #bite: (fault: ModelFault) => void;
  readonly #deadline: Timer;
  #timer: Timer;

  constructor(clock: Clock, limits: ModelLimits, bite: (fault: ModelFault) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bite = (fault) => {
      this.stop();
      bite(fault);
    };
    this.#deadline = clock.setTimer(() => this.#bite(endless(limits)), limits.replyMs);
    this.#timer = this.#listen(limits.firstByteMs);
  }

  #listen(silenceMs: number): Timer {
    return this.#clock.setTimer(() => this.#bite(stalled(silenceMs)), silenceMs);
  }

  /** Headers alone are no beginning: some servers send them before they read the prompt. */
  feed(isBegun: boolean): void {
    this.#timer.cancel();
    this.#timer = this.#listen(isBegun ? this.#limits.stallMs : this.#limits.firstByteMs);
  }

  stop(): void {
    this.#deadline.cancel();
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

function openBody(message: IncomingMessage, watchdog: Watchdog, limits: ModelLimits): ReadableStream<Uint8Array> {
  const bound = new ReplyBound(limits);
  let isOpen = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.pause();
      message.on('data', (chunk: Buffer) => {
        watchdog.feed(true);
        if (bound.exceededBy(chunk)) message.destroy(new ModelFault('malformed', 'the reply is too large'));
        else if (isOpen) controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once('end', () => {
        if (isOpen) controller.close();
        isOpen = false;
      });
      message.on('error', (error) => {
        if (isOpen) controller.error(error instanceof ModelFault ? error : unreachable(error));
        isOpen = false;
      });
    },
    pull() {
      message.resume();
    },
    cancel() {
      isOpen = false;
      message.destroy();
    },
  });
}

/** Async for its rejection: a hostile server must not make an event handler throw. */
async function openResponse(message: IncomingMessage, watchdog: Watchdog, limits: ModelLimits): Promise<Response> {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new ModelFault('malformed', `unexpected status ${status}`);
  const body = openBody(message, watchdog, limits);
  return new Response(bodilessStatuses.has(status) ? null : body, { status, headers: readHeaders(message) });
}

interface Packed {
  body: string | Buffer | undefined;
  headers: Record<string, string>;
}

/** The body as bytes: forms are encoded here, with the boundary in their content type. */
async function pack(init: RequestInit | undefined): Promise<Packed> {
  const headers = Object.fromEntries(new Headers(init?.headers));
  if (!(init?.body instanceof FormData)) {
    return { body: typeof init?.body === 'string' || Buffer.isBuffer(init?.body) ? init.body : undefined, headers };
  }
  const form = new Response(init.body);
  const body = Buffer.from(await form.arrayBuffer());
  return {
    body,
    headers: { ...headers, 'content-type': form.headers.get('content-type') ?? '', 'content-length': String(body.length) },
  };
}

/**
 * The `fetch` given to the providers. It follows no redirects, so that a key only reaches the configured host; every connection failure is
 * a `ModelFault`; aborting destroys the socket at once. Uses node:http because it costs half of the global `fetch` and gives control of the
 * socket.
 */
export function createWire(clock: Clock, limits: ModelLimits = defaultWireLimits): typeof fetch {
  const open = (input: Parameters<typeof fetch>[0], init: RequestInit | undefined, { body, headers }: Packed) =>
    new Promise<Response>((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      let exchange: { destroy(error: Error): unknown } = send(url, { method: init?.method ?? 'GET', headers })
        .once('response', (message) => {
          exchange = message;
          watchdog.feed(false);
          resolve(openResponse(message, watchdog, limits));
        })
        .on('error', (error) => reject(error instanceof ModelFault ? error : unreachable(error)))
        .once('close', () => {
          watchdog.stop();
          init?.signal?.removeEventListener('abort', abort);
        })
        .end(body);
      const watchdog = new Watchdog(clock, limits, (fault) => exchange.destroy(fault));
      const abort = () => exchange.destroy(new ModelFault('unavailable', 'the call was aborted'));
      if (init?.signal?.aborted) abort();
      init?.signal?.addEventListener('abort', abort, { once: true });
    });
  return async (input, init) => open(input, init, await pack(init));
}
