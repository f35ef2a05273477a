import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network link between a service and its server that a test can break. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<{ near: Socket; far: Socket }>();
  #isHolding = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (near) => proxy.#join(near, connect(target)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #join(near: Socket, far: Socket): void {
    const pair = { near, far };
    this.#pairs.add(pair);
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => near.write(chunk));
    if (this.#isHolding) far.pause();
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  }

  /** Requests still arrive, responses no longer do; neither side is notified. */
  holdAnswers(): void {
    this.#isHolding = true;
    for (const { far } of this.#pairs) far.pause();
  }

  /** Responses arrive again, delayed ones first. */
  release(): void {
    this.#isHolding = false;
    for (const { far } of this.#pairs) far.resume();
  }

  async stop(): Promise<void> {
    for (const { near } of this.#pairs) near.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
