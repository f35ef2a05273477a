import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createServer, requestHttp } from '@errand/base/net/node-http.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { readAuthority, type SafeConnect } from '@errand/base/net/safe-connect.ts';
import { NothingListens } from './nothing-listens.ts';
import type { Egress, EgressLimits } from './egress.ts';

const mebibyte = 1024 * 1024;
const egressLimits: EgressLimits = { bytes: 1024 * mebibyte, connections: 2_000, open: 64, idleMs: 60_000 };

/** Hop-by-hop headers, not to be forwarded. */
const hopHeaders = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/** Refusals are read by people in the output of their programs. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function explain(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OutboundFault) return new Refusal(error.kind === 'blocked' ? 403 : 502, error.message);
  if (error instanceof NothingListens) return new Refusal(502, error.message);
  return new Refusal(502, 'the connection broke off');
}

/** A connection, and the judgment about what is sent through it later. */
interface Reached {
  socket: Socket;
  refuse(): string | null;
}

/**
 * An HTTP proxy for one command. It resolves names itself and only connects to checked addresses; `egress` decides about every connection.
 * Closing it ends all of them.
 */
export class EgressProxy {
  readonly server: Server;
  readonly #connect: SafeConnect;
  readonly #egress: Egress;
  readonly #limits: EgressLimits;
  readonly #over = new AbortController();
  readonly #connectedHosts = new Set<string>();
  readonly #streams = new Set<Duplex>();
  #bytes = 0;
  #connections = 0;
  #open = 0;

  constructor(connect: SafeConnect, egress: Egress) {
    this.#connect = connect;
    this.#egress = egress;
    this.#limits = { ...egressLimits, ...egress.limits };
    this.server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 1 });
    this.server.on(
      'connect',
      (request: IncomingMessage, client: Duplex, head: Buffer) => void this.#tunnel(request, client, head),
    );
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#forward(request, response));
    this.server.on('clientError', (_error, client) => client.destroy());
  }

  /** The bytes transferred in both directions. */
  get bytes(): number {
    return this.#bytes;
  }

  get connectedHosts(): readonly string[] {
    return [...this.#connectedHosts];
  }

  close(): void {
    this.#over.abort(new Error('the command has ended'));
    for (const stream of this.#streams) stream.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }

  /** A connection to the target of a request, counted and monitored until it closes. */
  async #reach(authority: string): Promise<Reached> {
    const { url, host } = readAuthority(authority);
    const port = Number(url.port || 80);
    if (this.#connections >= this.#limits.connections) {
      this.#egress.onSpent?.();
      throw new Refusal(429, 'the command has made too many connections');
    }
    if (this.#open >= this.#limits.open) throw new Refusal(429, 'the command has too many connections open');
    const near = this.#egress.openNear?.(host, port) ?? null;
    const refuse = () => (near === null ? this.#egress.refuse(host, port) : null);
    const problem = refuse();
    if (problem !== null) throw new Refusal(403, problem);
    this.#connections++;
    this.#open++;
    try {
      const socket = await (near ?? this.#dial(authority, host));
      socket.setTimeout(this.#limits.idleMs, () => socket.destroy());
      socket.once('close', () => {
        this.#open--;
        this.#streams.delete(socket);
      });
      this.#keep(socket);
      return { socket, refuse };
    } catch (error) {
      this.#open--;
      throw error;
    }
  }

  async #dial(authority: string, host: string): Promise<Socket> {
    const { socket } = await this.#connect(authority, this.#over.signal);
    this.#note(host);
    return socket;
  }

  /** Keeps a stream, which ends together with the proxy. */
  #keep(stream: Duplex): void {
    this.#streams.add(stream);
    if (this.#over.signal.aborted) stream.destroy();
  }

  #note(host: string): void {
    if (this.#connectedHosts.has(host)) return;
    this.#connectedHosts.add(host);
    this.#egress.onConnect(host);
  }

  /** Counts the bytes of a stream; too many end everything. */
  #count(stream: Duplex | IncomingMessage): void {
    stream.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= this.#limits.bytes) return;
      this.#egress.onSpent?.();
      this.close();
    });
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    try {
      this.#keep(client);
      const { socket: target, refuse } = await this.#reach(request.url ?? '');
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) target.write(head);
      client.on('data', () => {
        if (refuse() !== null) target.destroy();
      });
      this.#count(client);
      this.#count(target);
      await Promise.allSettled([pipeline(client, target), pipeline(target, client)]);
      target.destroy();
    } catch (error) {
      const { status, message } = explain(error);
      client.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nerrand: ${message}\n`);
    } finally {
      this.#streams.delete(client);
    }
  }

  /** A proxy request for an `http:` URL, with the whole URL in place of the path. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = URL.parse(request.url ?? '');
      if (url?.protocol !== 'http:')
        throw new Refusal(400, 'this is a proxy: it takes CONNECT, or the whole address of an http: page');
      const { socket } = await this.#reach(`${url.hostname}:${url.port || 80}`);
      const entries = Object.entries(request.headers).filter(([name]) => !hopHeaders.has(name));
      const onward = requestHttp({
        createConnection: () => socket,
        method: request.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { ...Object.fromEntries(entries), host: url.host, connection: 'close' },
        setHost: false,
      });
      this.#count(request);
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        onward
          .on('response', resolve)
          .on('error', reject)
          .on('close', () => reject(new Error('closed')));
      });
      const [answer] = await Promise.all([answered, pipeline(request, onward)]);
      this.#count(answer);
      const kept = Object.entries(answer.headers).filter(([name]) => !hopHeaders.has(name));
      response.writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(kept), connection: 'close' } as never);
      await pipeline(answer, response);
      socket.destroy();
    } catch (error) {
      const { status, message } = explain(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`errand: ${message}\n`);
    }
  }
}
