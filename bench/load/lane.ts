import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const headEnd = '\r\n\r\n';
const bufferBytes = 64 * 1024;

function readLength(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply without a length:\n${head}`);
  return Number(length);
}

/**
 * One keep-alive connection with at most one request under way. Of a reply it reads only what is needed to know its status and
 * where it ends, because what the load costs is taken from the service on the same machine.
 */
export class Lane {
  /** Called once per reply. */
  onReply: (status: number) => void = () => undefined;
  /** Called when the connection is lost or says what cannot be understood. */
  onFailure: (error: Error) => void = () => undefined;
  readonly #socket: Socket;
  #status = 0;
  /** Bytes of the body that have not come yet. */
  #missing = 0;
  /** The beginning of a reply whose head has not come whole. */
  #partialHead: Buffer | null = null;
  #isClosing = false;

  private constructor(address: { host: string; port: number }) {
    const receive = (count: number, buffer: Uint8Array) => {
      this.#receive(Buffer.from(buffer.buffer, buffer.byteOffset, count));
      return true;
    };
    this.#socket = connect({ ...address, noDelay: true, onread: { buffer: Buffer.allocUnsafe(bufferBytes), callback: receive } });
    this.#socket.on('error', (error) => this.onFailure(error));
    this.#socket.on('close', () => {
      if (!this.#isClosing) this.onFailure(new Error('the service closed the connection'));
    });
  }

  static async open({ hostname, port }: URL): Promise<Lane> {
    const lane = new Lane({ host: hostname, port: Number(port) });
    await once(lane.#socket, 'connect');
    return lane;
  }

  send(request: Uint8Array): void {
    this.#socket.write(request);
  }

  /** Sends a request and answers the status of its reply; for callers who have time for a promise. */
  ask(request: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      this.onReply = resolve;
      this.onFailure = reject;
      this.send(request);
    });
  }

  close(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#missing === 0) this.#receiveHead(chunk);
    else this.#receiveBody(chunk.length);
  }

  #receiveHead(chunk: Buffer): void {
    const data = this.#partialHead ? Buffer.concat([this.#partialHead, chunk]) : chunk;
    const end = data.indexOf(headEnd);
    if (end === -1) {
      // The buffer behind the chunk is used again for the next one.
      this.#partialHead = Buffer.from(data);
      return;
    }
    this.#partialHead = null;
    const head = data.toString('latin1', 0, end);
    this.#status = Number(head.slice(9, 12));
    this.#missing = readLength(head);
    this.#receiveBody(data.length - end - headEnd.length);
  }

  #receiveBody(count: number): void {
    this.#missing -= count;
    if (this.#missing === 0) this.onReply(this.#status);
    else if (this.#missing < 0) this.onFailure(new Error('the service sent more than one reply'));
  }
}
