import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '@errand/base/clock.ts';

/** How often stalled responses are checked for. */
const lookMs = 5000;
/** How long a caller may take for an answer, and how many bytes of it a millisecond it has to take at least. */
const patienceMs = 30_000;
const slowestBytesPerMs = 64;

/** Requests of one socket that are worked on at once, and that may wait for those; Node itself takes all that are pipelined. */
const mostAtOnce = 8;
const mostWaiting = 256;

/** An answer that is being made or sent, and until when it must have left; null while it is being made. */
interface Sending {
  socket: Socket;
  until: number | null;
}

interface Line {
  request: IncomingMessage;
  response: ServerResponse;
  /** Requests of this socket that have not been answered. */
  open: number;
  /** Those of them that nobody works on yet, in their order. */
  waiting: Map<ServerResponse, () => void>;
}

/** What is to be done when the bytes of a socket stop making sense. */
export type Remedy =
  /** Nothing is under way: say so. */
  | 'answer'
  /** They belong to a request whose answer has not begun: say so in its place. */
  | 'replace'
  /** Another answer would be taken for one of an earlier request. */
  | 'destroy';

/** Requests under way, and on which sockets. */
export class Traffic {
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #open = new Map<ServerResponse, Sending>();
  readonly #clock: Clock;
  #idle: (() => void)[] = [];
  #timer: Timer | undefined;
  #isDraining = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    this.#open.set(response, { socket: request.socket, until: null });
    if (!this.#isDraining) this.#timer ??= this.#clock.setTimer(() => this.#cutStalled(), lookMs);
    const line = this.#lines.get(request.socket);
    if (line) Object.assign(line, { request, response, open: line.open + 1 });
    else this.#lines.set(request.socket, { request, response, open: 1, waiting: new Map() });
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
    // One that nobody has worked on leaves because its caller has gone.
    if (line.waiting.delete(response)) return;
    const [next] = line.waiting;
    if (!next || socket.destroyed) return;
    line.waiting.delete(next[0]);
    next[1]();
  }

  /**
   * Disconnects callers that do not read their responses. The socket's idle timeout misses them while they keep sending. Streams
   * look after their readers themselves: their answers have no end.
   */
  #cutStalled(): void {
    const now = this.#clock.monotonic();
    for (const [response, sending] of this.#open) {
      if (!response.writableEnded) continue;
      sending.until ??= now + patienceMs + sending.socket.writableLength / slowestBytesPerMs;
      if (now > sending.until) sending.socket.destroy();
    }
    this.#timer = this.#open.size > 0 && !this.#isDraining ? this.#clock.setTimer(() => this.#cutStalled(), lookMs) : undefined;
  }

  /** @param status the one of the answer that may be given */
  judge(socket: Socket, status: number): Remedy {
    const line = this.#lines.get(socket);
    if (!line || (line.open === 0 && line.request.complete)) return 'answer';
    if (line.open > 1 || line.request.complete || line.response.headersSent) return 'destroy';
    line.response.statusCode = status;
    return 'replace';
  }

  /** Lets no connection outlive the answer that is being made for it; resolves when no request is under way. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.#timer?.cancel();
    for (const response of this.#open.keys()) if (!response.headersSent) response.setHeader('connection', 'close');
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
