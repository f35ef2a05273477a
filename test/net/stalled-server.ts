import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, prints its port, and never does anything again: the system fills its queue, then lets callers wait. */
const program = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** A server with a full queue: a connection to it is neither made nor refused. */
export class StalledServer {
  readonly port: number;
  readonly #worker: Worker;
  readonly #queued: readonly Socket[];

  private constructor(port: number, worker: Worker, queued: readonly Socket[]) {
    this.port = port;
    this.#worker = worker;
    this.#queued = queued;
  }

  static async start(): Promise<StalledServer> {
    const worker = new Worker(program, { eval: true });
    const [port] = (await once(worker, 'message')) as [number];
    // Linux queues one connection more than was asked for.
    const queued = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(queued.map((socket) => once(socket, 'connect')));
    return new StalledServer(port, worker, queued);
  }

  async stop(): Promise<void> {
    for (const socket of this.#queued) socket.on('error', () => {}).destroy();
    await this.#worker.terminate();
  }
}
