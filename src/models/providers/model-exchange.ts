import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { requestHttp } from '@errand/base/net/node-http.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { SafeDial } from '@errand/base/net/safe-connect.ts';
import { ModelFault } from '../model.ts';
import { defaultWireLimits, longestRefusal, type ModelLimits } from './wire-limits.ts';

const lineEnd = 0x0a;

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
  #fedAt: number;
  #silenceMs: number;

  constructor(clock: Clock, limits: ModelLimits, bite: (fault: ModelFault) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bite = (fault) => {
      this.stop();
      bite(fault);
    };
    this.#fedAt = clock.monotonic();
    this.#silenceMs = limits.firstByteMs;
    this.#deadline = clock.setTimer(() => this.#bite(endless(limits)), limits.replyMs);
    this.#timer = this.#listen(this.#silenceMs);
  }

  /** The timer is not moved with each byte: when it fires, it is set again for what is left. */
  #listen(delayMs: number): Timer {
    return this.#clock.setTimer(() => {
      const leftMs = this.#fedAt + this.#silenceMs - this.#clock.monotonic();
      if (leftMs <= 0) this.#bite(stalled(this.#silenceMs));
      else this.#timer = this.#listen(leftMs);
    }, delayMs);
  }

  /** Headers alone are no beginning: some servers send them before they read the prompt. */
  feed(isBegun: boolean): void {
    this.#fedAt = this.#clock.monotonic();
    const silenceMs = isBegun ? this.#limits.stallMs : this.#limits.firstByteMs;
    if (silenceMs === this.#silenceMs) return;
    this.#silenceMs = silenceMs;
    this.#timer.cancel();
    this.#timer = this.#listen(silenceMs);
  }

  stop(): void {
    this.#deadline.cancel();
    this.#timer.cancel();
  }
}

/** What becomes of the bytes of a reply. The first call of `onEnd` or `onError` counts. */
export interface ReplyReader {
  /** What it throws ends the exchange and is the error. */
  onChunk(chunk: Buffer): void;
  onEnd(): void;
  onError(error: unknown): void;
}

/** A reply whose head has come; its bytes wait until they are read. */
export class OpenReply {
  readonly #message: IncomingMessage;
  readonly #watchdog: Watchdog;
  readonly #limits: ModelLimits;

  constructor(message: IncomingMessage, watchdog: Watchdog, limits: ModelLimits) {
    this.#message = message;
    this.#watchdog = watchdog;
    this.#limits = limits;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#message.headers;
  }

  read({ onChunk, onEnd, onError }: ReplyReader): void {
    const message = this.#message;
    const isRefusal = this.status < 200 || this.status > 299;
    const bound = new ReplyBound(isRefusal ? { ...this.#limits, replyBytes: longestRefusal } : this.#limits);
    message.on('data', (chunk: Buffer) => {
      this.#watchdog.feed(true);
      try {
        if (!bound.exceededBy(chunk)) return onChunk(chunk);
        if (!isRefusal) throw new ModelFault('malformed', 'the reply is too large');
        // The status counts, whatever else the server says about it.
        message.removeAllListeners('data').destroy();
        onEnd();
      } catch (error) {
        message.removeAllListeners('data').destroy();
        onError(error);
      }
    });
    message.once('end', onEnd);
    message.on('error', (error) => onError(error instanceof ModelFault ? error : unreachable(error)));
  }

  pause(): void {
    this.#message.pause();
  }

  resume(): void {
    this.#message.resume();
  }

  destroy(): void {
    this.#message.destroy();
  }
}

/** Async for its rejection: a hostile server must not make an event handler throw. */
async function openReply(message: IncomingMessage, watchdog: Watchdog, limits: ModelLimits): Promise<OpenReply> {
  const status = message.statusCode ?? 0;
  if (status >= 200 && status <= 599) return new OpenReply(message, watchdog, limits);
  message.destroy();
  throw new ModelFault('malformed', `unexpected status ${status}`);
}

/** One request to a provider. */
export interface ExchangeRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  /** The body in pieces; more than one needs its length among the headers. */
  body: readonly (string | Uint8Array)[];
  signal?: AbortSignal | null | undefined;
}

export type SendRequest = (request: ExchangeRequest) => Promise<OpenReply>;

type Socket = Awaited<ReturnType<SafeDial>>;

/** A connection that the rules for outbound requests allow; a server that they forbid is a refusal, which no later attempt changes. */
async function dialSafely(dial: SafeDial, url: URL, signal: AbortSignal | null | undefined): Promise<Socket> {
  try {
    return await dial(url, signal ?? undefined);
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    // What it says names the host, which is not for everybody who reads the task.
    const { kind, message: detail } = error;
    if (kind === 'blocked') throw new ModelFault('refused', 'this service may not connect to its address', { detail });
    throw new ModelFault('unavailable', 'the connection failed', { detail });
  }
}

/**
 * What sends requests to providers. It follows no redirects, so that a key only reaches the configured host; every connection failure is a
 * `ModelFault`; aborting destroys the socket at once. Uses node:http because it costs half of the global `fetch` and gives control of the
 * socket.
 * @param dial connects to servers that the operator has not chosen
 */
export function createSender(clock: Clock, limits: ModelLimits = defaultWireLimits, dial?: SafeDial): SendRequest {
  return async (request) =>
    exchange(request, { clock, limits, socket: dial && (await dialSafely(dial, request.url, request.signal)) });
}

interface Exchange {
  clock: Clock;
  limits: ModelLimits;
  /** Undefined for one of the usual connections. */
  socket: Socket | undefined;
}

function exchange(
  { url, method, headers, body, signal }: ExchangeRequest,
  { clock, limits, socket }: Exchange,
): Promise<OpenReply> {
  return new Promise<OpenReply>((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = open(url, { method, headers, ...(socket && { createConnection: () => socket }) });
    let ending: { destroy(error: Error): unknown } = request;
    const watchdog = new Watchdog(clock, limits, (fault) => ending.destroy(fault));
    const abort = () => ending.destroy(new ModelFault('unavailable', 'the call was aborted'));
    request
      .once('response', (message) => {
        ending = message;
        watchdog.feed(false);
        resolve(openReply(message, watchdog, limits));
      })
      .on('error', (error) => reject(error instanceof ModelFault ? error : unreachable(error)))
      .once('close', () => {
        watchdog.stop();
        signal?.removeEventListener('abort', abort);
      });
    for (const piece of body.slice(0, -1)) request.write(piece);
    request.end(body.at(-1));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
