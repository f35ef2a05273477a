import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '@errand/base/clock.ts';

/** How often stalled responses are checked for. */
const checkIntervalMs = 5000;
/** The time a caller has to receive any response, and the minimum bytes per millisecond beyond it. */
const graceMs = 30_000;
const slowestBytesPerMs = 64;

/** How many requests of one socket are processed at once, and how many may be queued; Node itself accepts any number of pipelined ones. */
const mostAtOnce = 8;
const mostWaiting = 256;

/** How long a handler may run without a response; the slowest fetches the files of a message, for up to two minutes. */
export const handlerTimeoutMs = 180_000;

/** A response in progress, and its deadline; null until it is sent. */
interface Sending {
  socket: Socket;
  until: number | null;
}

interface Line {
  request: IncomingMessage;
  response: ServerResponse;
  /** Unanswered requests of this socket. */
  open: number;
  /** When its caller was first found to wait for the newest of them; null until then. */
  silentSince: number | null;
  /** The queued requests of this socket, in order. */
  waiting: Map<ServerResponse, () => void>;
}

/** How to handle invalid bytes on a socket. */
export type Remedy =
  /** No request is in progress: report the error. */
  | 'answer'
  /** The bytes belong to a request whose response has not begun: answer it with the error. */
  | 'replace'
  /** Close the socket: another response would be taken for that of an earlier request. */
  | 'destroy';

/** Requests in progress, and on which sockets. */
export class Traffic {
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #open = new Map<ServerResponse, Sending>();
  readonly #clock: Clock;
  readonly #handlerTimeoutMs: number;
  #idle: (() => void)[] = [];
  #timer: Timer | undefined;
  #isDraining = false;

  constructor(clock: Clock, handlerTimeout = handlerTimeoutMs) {
    this.#clock = clock;
    this.#handlerTimeoutMs = handlerTimeout;
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    this.#open.set(response, { socket: request.socket, until: null });
    if (!this.#isDraining) this.#timer ??= this.#clock.setTimer(() => this.#cutStalled(), checkIntervalMs);
    const line = this.#lines.get(request.socket);
    if (line) Object.assign(line, { request, response, open: line.open + 1, silentSince: null });
    else this.#lines.set(request.socket, { request, response, open: 1, silentSince: null, waiting: new Map() });
  }

  /** Continues with a request unless its socket has too many in progress; one that pipelines endlessly is closed. */
  admit({ socket }: IncomingMessage, response: ServerResponse, proceed: () => void): void {
    const line = this.#lines.get(socket);
    if (!line || line.open - line.waiting.size <= mostAtOnce) return proceed();
    line.waiting.set(response, proceed);
    if (line.waiting.size > mostWaiting) socket.destroy();
  }

  leave({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#open.delete(response);
    const line = this.#lines.get(socket);
    if (line) this.#leaveLine(line, socket, response);
    if (this.#open.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #leaveLine(line: Line, socket: Socket, response: ServerResponse): void {
    line.open--;
    // A queued request that is abandoned: its caller has disconnected.
    if (line.waiting.delete(response)) return;
    const [next] = line.waiting;
    if (!next || socket.destroyed) return;
    line.waiting.delete(next[0]);
    next[1]();
  }

  /**
   * Whether a connection is silent because its caller waits for a handler: the request is complete, and there is nothing to read yet. A
   * caller that is slow itself never is.
   */
  awaitsAnswer(socket: Socket): boolean {
    const line = this.#lines.get(socket);
    if (!line || line.open === 0 || !line.request.complete) return false;
    if (line.response.headersSent || socket.writableLength > 0) return false;
    line.silentSince ??= this.#clock.monotonic();
    return this.#clock.monotonic() - line.silentSince < this.#handlerTimeoutMs;
  }

  /**
   * Disconnects callers that do not read their responses. The socket's idle timeout misses them while they keep sending. Streams monitor
   * their readers themselves: their responses have no end.
   */
  #cutStalled(): void {
    const now = this.#clock.monotonic();
    for (const [response, sending] of this.#open) {
      if (!response.writableEnded) continue;
      sending.until ??= now + graceMs + sending.socket.writableLength / slowestBytesPerMs;
      if (now > sending.until) sending.socket.destroy();
    }
    this.#timer =
      this.#open.size > 0 && !this.#isDraining ? this.#clock.setTimer(() => this.#cutStalled(), checkIntervalMs) : undefined;
  }

  /** @param status the status with which to answer */
  chooseRemedy(socket: Socket, status: number): Remedy {
    const line = this.#lines.get(socket);
    if (!line || (line.open === 0 && line.request.complete)) return 'answer';
    if (line.open > 1 || line.request.complete || line.response.headersSent) return 'destroy';
    line.response.statusCode = status;
    return 'replace';
  }

  /** Closes connections after their current response; resolves when no request is in progress. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.#timer?.cancel();
    for (const response of this.#open.keys()) if (!response.headersSent) response.setHeader('connection', 'close');
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
