import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface Question {
  name: string;
  type: 'A' | 'AAAA';
  /** How often this name and type have been asked for, this time included. */
  nth: number;
}

/** What becomes of a question: addresses, perhaps behind an alias; an error of the server; or nothing at all. */
export type DnsAnswer = { addresses: readonly string[]; alias?: string } | 'unknown' | 'failure' | 'silence';

const codes = { unknown: 3, failure: 2 };
const typeNumbers = { A: 1, AAAA: 28, CNAME: 5 };

/** A name server whose answers a test decides one by one. Every record may be kept for no time at all. */
export class DnsServer {
  readonly questions: Question[] = [];
  /** As `address:port`. */
  readonly address: string;
  readonly #socket: Socket;
  readonly #counts = new Map<string, number>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.address = `127.0.0.1:${socket.address().port}`;
  }

  static async start(answer: (question: Question) => DnsAnswer, host = '127.0.0.1', port = 0): Promise<DnsServer> {
    const socket = createSocket('udp4').bind(port, host);
    await once(socket, 'listening');
    const server = new DnsServer(socket);
    socket.on('message', (query, peer) => {
      const reply = server.#reply(query, answer);
      if (reply) socket.send(reply, peer.port, peer.address);
    });
    return server;
  }

  async stop(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #reply(query: Buffer, answer: (question: Question) => DnsAnswer): Buffer | null {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end) === typeNumbers.AAAA ? 'AAAA' : 'A';
    const nth = (this.#counts.get(`${type} ${name}`) ?? 0) + 1;
    this.#counts.set(`${type} ${name}`, nth);
    const question: Question = { name, type, nth };
    this.questions.push(question);
    const given = answer(question);
    if (given === 'silence') return null;
    const records = typeof given === 'string' ? [] : toRecords(question, given);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (typeof given === 'string' ? codes[given] : 0), 2);
    for (const [index, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * index);
    return Buffer.concat([header, query.subarray(12, end + 4), ...records]);
  }
}

function readName(packet: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function toRecords({ name, type }: Question, { addresses, alias }: { addresses: readonly string[]; alias?: string }): Buffer[] {
  const owner = alias ?? name;
  const matching = addresses.filter((address) => address.includes(':') === (type === 'AAAA'));
  const records = matching.map((address) => writeRecord(owner, typeNumbers[type], writeAddress(address)));
  return alias === undefined ? records : [writeRecord(name, typeNumbers.CNAME, writeName(alias)), ...records];
}

function writeRecord(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fields, data]);
}

/** IPv6 only as eight groups or with one `::`, without dots. */
function writeAddress(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = [], tail = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
