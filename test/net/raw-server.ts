import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server whose behaviour a test writes byte by byte. It counts every connection. */
export class RawServer {
  connectionCount = 0;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(serve: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<RawServer> {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.connectionCount += 1;
      raw.#sockets.add(socket);
      // The client leaves in the middle of things: that is what the tests are about.
      socket.on('error', () => {});
      socket.on('close', () => raw.#sockets.delete(socket));
      serve(socket);
    });
    return raw;
  }

  /** Resolves when the other side has closed every connection. */
  async waitForSilence(): Promise<void> {
    await Promise.all([...this.#sockets].map(waitForClose));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Resolves when the socket is closed, with an error or without. */
export function waitForClose(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

/** Counts connections that nobody should make, and answers them all the same. */
export function startTrap(host: string, port = 0): Promise<RawServer> {
  return RawServer.start((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ncaught'), host, port);
}

/** Sends the same bytes for as long as the other side takes them. */
export function flood(socket: Socket, bytes: string | Buffer): void {
  const block = Buffer.from(bytes);
  const send = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', send);
  send();
}
