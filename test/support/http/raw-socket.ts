import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  text: string;
  body: Record<string, unknown> | null;
}

/** A connection on which a test sends exactly what it wants. */
export class RawSocket {
  readonly socket: Socket;
  #received = '';
  #isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => (this.#received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#isClosed = true));
  }

  static async open(target: number | string): Promise<RawSocket> {
    const socket = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
    const raw = new RawSocket(socket);
    await once(socket, 'connect');
    return raw;
  }

  write(text: string | Buffer): void {
    this.socket.write(text);
  }

  /** The next complete response, without a body for HEAD; rejects if the connection ends before. */
  async read(isHead = false): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#parse(isHead);
      if (answer) return answer;
      if (this.#isClosed) throw new Error(`closed after ${JSON.stringify(this.#received)}`);
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
  }

  /** Everything received until the other side closes. */
  async readAll(): Promise<string> {
    if (!this.#isClosed) await once(this.socket, 'close');
    return this.#received;
  }

  #parse(isHead: boolean): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = status === 100 || isHead ? 0 : Number(headers.get('content-length') ?? 0);
    if (this.#received.length < end + 4 + length) return null;
    const text = Buffer.from(this.#received.slice(end + 4, end + 4 + length), 'latin1').toString();
    this.#received = this.#received.slice(end + 4 + length);
    return { status, headers, text, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null };
  }

  end(): void {
    this.socket.destroy();
  }
}

/** One request on its own connection. */
export async function ask(target: number | string, text: string | Buffer): Promise<RawAnswer> {
  const raw = await RawSocket.open(target);
  try {
    raw.write(text);
    return await raw.read(String(text).startsWith('HEAD '));
  } finally {
    raw.end();
  }
}
