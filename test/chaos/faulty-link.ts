import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network link that can become slow and drop its connections. */
export class FaultyLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #delayMs = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: { host: string; port: number }): Promise<FaultyLink> {
    const server = createServer();
    const link = new FaultyLink(server);
    server.on('connection', (near) => link.#join(near, connect(target)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Every piece takes this long from now on; 0 is a good link. */
  slowDown(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Ends every connection without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    this.#pass(near, far);
    this.#pass(far, near);
    const end = () => {
      for (const socket of [near, far]) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
  }

  /** Pieces keep their order, also when the delay changes between them. */
  #pass(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    const then = (run: () => void) => {
      const until = performance.now() + this.#delayMs;
      last = last.then(() => waitUntil(until)).then(run);
    };
    from.on('data', (piece) => then(() => void (to.destroyed || to.write(piece))));
    from.on('end', () => then(() => void (to.destroyed || to.end())));
  }
}

function waitUntil(at: number): Promise<void> | void {
  const delayMs = at - performance.now();
  if (delayMs <= 0) return undefined;
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}
