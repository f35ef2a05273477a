import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Wanted {
  count: number;
  resolve: () => void;
}

/** A web server that answers at once, except under `/hold`, where it does not answer before it is told to. */
export class OutsideServer {
  readonly #server: Server;
  readonly #held = new Set<ServerResponse>();
  #wanted: Wanted[] = [];
  #isReleased = false;
  /** The most requests that were held at the same time. */
  mostHeld = 0;

  private constructor() {
    this.#server = createServer(({ url }, response) => {
      if (url?.startsWith('/hold') && !this.#isReleased) this.#hold(response);
      else response.setHeader('content-type', 'text/plain').end('at once');
    });
  }

  static async start(): Promise<OutsideServer> {
    const server = new OutsideServer();
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get held(): number {
    return this.#held.size;
  }

  /** Resolves once this many requests are held at the same time. */
  async waitForHeld(count: number): Promise<void> {
    if (this.mostHeld >= count) return;
    await new Promise<void>((resolve) => this.#wanted.push({ count, resolve }));
  }

  /** Answers what is held, and from now on everything. */
  release(): void {
    this.#isReleased = true;
    for (const response of this.#held) response.end('late');
  }

  /** Holds again, and forgets what was held. */
  reset(): void {
    this.#isReleased = false;
    this.mostHeld = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #hold(response: ServerResponse): void {
    this.#held.add(response);
    response.once('close', () => this.#held.delete(response));
    this.mostHeld = Math.max(this.mostHeld, this.#held.size);
    for (const { count, resolve } of this.#wanted) if (this.mostHeld >= count) resolve();
    this.#wanted = this.#wanted.filter(({ count }) => this.mostHeld < count);
  }
}
