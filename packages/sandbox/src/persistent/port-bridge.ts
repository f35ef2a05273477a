import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { NothingListens } from '../egress/nothing-listens.ts';
import { libraryMount } from '../sandbox.ts';
import { sandboxUser } from '../workspace/sandbox-user.ts';
import type { SandboxProcess, ProcessStart } from './sandbox-process.ts';

/** The most connections, including those being opened. */
const mostConnections = 64;
/** How long the bridge's program may take to answer; a stranger's page can keep it busy, and a command can stop it. */
const answerMs = 5_000;
const callBytes = 16;

/**
 * Runs inside the sandbox. Reads lines `CALL PORT` from descriptor 3, connects to that port of its loopback, and reports with the call, at
 * the service's socket, what then becomes the connection; a call with nothing behind it is that nobody listens.
 */
const program = (socket: string) => `
const { connect, Socket } = require('node:net');
const reach = (port, hosts, found, failed) => {
  const [host, ...others] = hosts;
  if (host === undefined) return failed();
  const server = connect({ host, port, allowHalfOpen: true });
  server.once('error', () => reach(port, others, found, failed));
  server.once('connect', () => { server.removeAllListeners('error'); found(server); });
};
const answer = (call, word) => {
  const way = connect({ path: '${libraryMount}/${socket}', allowHalfOpen: true });
  way.write(call + word + '\\n');
  return way;
};
let rest = '';
new Socket({ fd: 3, readable: true, writable: false }).on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const [call, port] = line.split(' ');
    reach(Number(port), ['127.0.0.1', '::1'], (server) => {
      const way = answer(call, '+');
      server.pipe(way).pipe(server);
      for (const side of [server, way]) side.on('error', () => { server.destroy(); way.destroy(); });
    }, () => answer(call, '-').on('error', () => undefined).end());
  }
}).on('end', () => process.exit());
`;

interface Call {
  resolve(socket: Socket): void;
  giveUp(): void;
}

type BridgeProcess = Pick<SandboxProcess, 'ended' | 'hasEnded' | 'write'>;

/** A way from the service to the ports on the loopback of a persistent sandbox, which is in a network of its own. */
export class PortBridge {
  readonly #server: Server;
  readonly #process: BridgeProcess;
  readonly #clock: Clock;
  readonly #calls = new Map<string, Call>();
  #open = 0;

  private constructor(server: Server, process: BridgeProcess, clock: Clock) {
    this.#server = server;
    this.#process = process;
    this.#clock = clock;
    server.on('connection', (socket: Socket) => this.#receive(socket));
    void process.ended.then(() => this.#close());
  }

  /** @param folder the one that the sandbox sees as that of its library */
  static async open(
    sandbox: { start(wanted: ProcessStart): Promise<BridgeProcess> },
    folder: string,
    clock: Clock = systemClock,
  ): Promise<PortBridge> {
    const name = `ports-${randomBytes(4).toString('hex')}.sock`;
    const server = createServer({ allowHalfOpen: true });
    server.maxConnections = mostConnections;
    server.listen(join(folder, name));
    await once(server, 'listening');
    try {
      await chmod(join(folder, name), 0o600);
      if (sandboxUser) await chown(join(folder, name), sandboxUser.uid, sandboxUser.gid);
      const command = ['node', '-e', program(name)];
      return new PortBridge(server, await sandbox.start({ command, input: 'request', onOutput: () => undefined }), clock);
    } catch (error) {
      server.close();
      throw error;
    }
  }

  get isOver(): boolean {
    return this.#process.hasEnded;
  }

  connect(port: number): Promise<Socket> {
    if (this.#calls.size + this.#open >= mostConnections) {
      return Promise.reject(new NothingListens('the sandbox of this task has too many connections open; try again later'));
    }
    const call = randomBytes(callBytes).toString('hex');
    return new Promise<Socket>((resolve, reject) => {
      const timer = this.#clock.setTimer(() => this.#settle(call)?.giveUp(), answerMs);
      this.#calls.set(call, {
        resolve: (socket) => {
          timer.cancel();
          this.#open += 1;
          socket.once('close', () => (this.#open -= 1));
          resolve(socket);
        },
        giveUp: () => {
          timer.cancel();
          reject(new NothingListens(`nothing in the sandbox of this task answers at port ${port}`));
        },
      });
      this.#process.write(`${call} ${port}\n`);
    });
  }

  #settle(name: string): Call | undefined {
    const call = this.#calls.get(name);
    this.#calls.delete(name);
    return call;
  }

  /** Programs in the sandbox can connect here too; without a call they get nothing. */
  #receive(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(answerMs, () => socket.destroy());
    socket.once('readable', () => {
      socket.setTimeout(0);
      // One write of the other side, far smaller than what a socket takes at once.
      const head = socket.read(callBytes * 2 + 2) as Buffer | null;
      const text = head?.toString('latin1') ?? '';
      const call = this.#settle(text.slice(0, -2));
      if (call && text.endsWith('+\n')) {
        call.resolve(socket);
        return;
      }
      call?.giveUp();
      socket.destroy();
    });
  }

  #close(): void {
    this.#server.close();
    for (const name of [...this.#calls.keys()]) this.#settle(name)?.giveUp();
  }
}
