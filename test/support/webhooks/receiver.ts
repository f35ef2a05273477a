import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received message. */
export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: { event_id: string; event_type: string } & Record<string, unknown>;
  /** Milliseconds since the epoch by the system's clock. */
  at: number;
}

/** How to respond: a status, or something unusual. */
export type Behaviour = number | ((message: ReceivedMessage, response: ServerResponse) => void);

/** A webhook receiver for tests: responds as configured for each path and records everything. */
export class Receiver {
  readonly messages: ReceivedMessage[] = [];
  /** Whether probes succeed, whatever happens to other messages. */
  answersProbes = true;
  readonly #server: Server;
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const path = request.url ?? '';
        const event = JSON.parse(body) as ReceivedMessage['event'];
        this.#receive({ path, headers: request.headers, body, event, at: Date.now() }, response);
      });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Receiver(server);
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Sets the response to messages at this path; default: 204. */
  answer(path: string, behaviour: Behaviour): void {
    this.#behaviours.set(path, behaviour);
  }

  /** All messages except probes. */
  eventsAt(path: string): ReceivedMessage[] {
    return this.messages.filter((message) => message.path === path && message.event.event_type !== 'ping');
  }

  /** Resolves when the condition holds, checked after each message. */
  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #receive(message: ReceivedMessage, response: ServerResponse): void {
    this.messages.push(message);
    const isWelcome = this.answersProbes && message.event.event_type === 'ping';
    const behaviour = isWelcome ? 204 : (this.#behaviours.get(message.path) ?? 204);
    if (typeof behaviour === 'number') response.writeHead(behaviour).end();
    else behaviour(message, response);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
