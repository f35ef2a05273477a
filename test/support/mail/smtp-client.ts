import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { connect as connectTls } from 'node:tls';

export interface SmtpReply {
  code: number;
  lines: string[];
}

interface SentMail {
  from?: string;
  to: string;
  data: string | Uint8Array;
}

/** Text as bytes on the wire: lines end with CRLF, and a dot at the beginning of one is doubled. */
function toWire(data: string | Uint8Array): Buffer {
  const text = Buffer.from(data).toString('latin1').replaceAll(/\r?\n/g, '\r\n').replaceAll(/^\./gm, '..');
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

/** A sending mail server, command by command. */
export class SmtpClient {
  #socket: Socket;
  #lines: AsyncIterator<string>;
  #reader: Interface;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#reader = createInterface({ input: socket });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** A connection with the greeting of the server, which may be a refusal. */
  static async connect(port: number, host = '127.0.0.1'): Promise<{ client: SmtpClient; greeting: SmtpReply }> {
    const socket = createConnection({ port, host });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const client = new SmtpClient(socket);
    return { client, greeting: await client.read() };
  }

  /** Sends one mail on a connection of its own; the replies by command. */
  static async send(port: number, { from = 'ann@example.com', to, data }: SentMail): Promise<SmtpReply> {
    const { client, greeting } = await SmtpClient.connect(port);
    try {
      if (greeting.code !== 220) return greeting;
      const commands = ['EHLO mx.example.com', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA'];
      for (const command of commands) {
        const reply = await client.command(command);
        if (reply.code >= 400) return reply;
      }
      return await client.data(data);
    } finally {
      client.close();
    }
  }

  async read(): Promise<SmtpReply> {
    const lines: string[] = [];
    for (;;) {
      const next = await this.#lines.next();
      if (next.done) return { code: 0, lines };
      lines.push(next.value.slice(4));
      if (next.value[3] !== '-') return { code: Number(next.value.slice(0, 3)), lines };
    }
  }

  async command(line: string): Promise<SmtpReply> {
    this.#socket.write(`${line}\r\n`);
    return this.read();
  }

  /** The content after DATA; the reply is the decision about the mail. */
  async data(content: string | Uint8Array): Promise<SmtpReply> {
    this.#socket.write(toWire(content));
    return this.command('.');
  }

  /** Sends without waiting for an answer. */
  write(text: string): void {
    this.#socket.write(text);
  }

  /** Continues inside TLS; the certificate may be any. */
  async startTls(): Promise<{ reply: SmtpReply; fingerprint: string }> {
    const reply = await this.command('STARTTLS');
    this.#reader.close();
    this.#socket.removeAllListeners('data');
    const secured = connectTls({ socket: this.#socket, rejectUnauthorized: false });
    await once(secured, 'secureConnect');
    this.#socket = secured;
    this.#reader = createInterface({ input: secured });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    return { reply, fingerprint: secured.getPeerCertificate().fingerprint256 };
  }

  close(): void {
    this.#socket.destroy();
  }
}
