import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Line {
  request: IncomingMessage;
  response: ServerResponse;
  /** Requests of this socket that have not been answered. */
  open: number;
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
  readonly #open = new Set<ServerResponse>();
  #idle: (() => void)[] = [];

  enter(request: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response);
    const line = this.#lines.get(request.socket);
    if (line) Object.assign(line, { request, response, open: line.open + 1 });
    else this.#lines.set(request.socket, { request, response, open: 1 });
  }

  leave({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#open.delete(response);
    const line = this.#lines.get(socket);
    if (line) line.open--;
    if (this.#open.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
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
    for (const response of this.#open) if (!response.headersSent) response.setHeader('connection', 'close');
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
