import { Fault } from '@errand/base/fault.ts';
import type { ArchiveEntry, EntryKind } from './archive-entry.ts';

const blockBytes = 512;
/** Names and other metadata that do not fit a header have a separate entry; a legitimate one is short. */
const longestFacts = 64 * 1024;

function damaged(cause?: unknown): Fault {
  return new Fault('invalid_argument', 'The archive is damaged or not of this type.', { cause });
}

/** Chunked bytes, read in the units of the format. */
class ByteSource {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes; none at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next();
      if (next.done) return this.#rest;
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** Exactly this many bytes; null if the source ends earlier. */
  async exactly(count: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.some(left);
      if (part.length === 0) return null;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}

function readText(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** Octal digits, or a binary number for values that do not fit. */
function readSize(header: Buffer): number {
  if (((header[124] ?? 0) & 0x80) === 0) return Number.parseInt(readText(header, 124, 12).trim() || '0', 8);
  return Number(BigInt(`0x${header.toString('hex', 128, 136)}`));
}

function hasGoodSum(header: Buffer): boolean {
  const declared = Number.parseInt(readText(header, 148, 8).trim(), 8);
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  return declared === sum;
}

/** Lines of `length key=value`, the length counting the whole line. */
function readFacts(text: Buffer): Map<string, string> {
  const facts = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const length = Number.parseInt(text.toString('latin1', at, at + 8), 10);
    if (!(length > 0) || at + length > text.length) break;
    const line = text.toString('utf8', at, at + length - 1);
    const [space, equals] = [line.indexOf(' '), line.indexOf('=')];
    facts.set(line.slice(space + 1, equals), line.slice(equals + 1));
    at += length;
  }
  return facts;
}

const kinds: Readonly<Record<string, EntryKind>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '5': 'folder',
};

function nameOf(header: Buffer): string {
  const name = readText(header, 0, 100);
  const prefix = readText(header, 257, 6) === 'ustar' ? readText(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The entries of a tar in order; the unread rest of one is skipped when the next is requested. */
export async function* listTar(pieces: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const source = new ByteSource(pieces);
  let declared = new Map<string, string>();
  try {
    for (;;) {
      const header = await source.exactly(blockBytes);
      if (header === null || header.every((byte) => byte === 0)) return;
      if (!hasGoodSum(header)) throw damaged();
      const type = String.fromCharCode(header[156] ?? 0);
      const size = Number(declared.get('size') ?? readSize(header));
      if (!Number.isSafeInteger(size) || size < 0) throw damaged();
      if ('xgLK'.includes(type)) {
        if (size > longestFacts) throw new Fault('invalid_argument', 'The archive was rejected: a name in it is too long.');
        const text = await source.exactly(size);
        await source.exactly(padding(size));
        if (text === null) throw damaged();
        if (type === 'x') declared = readFacts(text);
        if (type === 'L') declared.set('path', readText(text, 0, text.length));
        continue;
      }
      const body = new EntryBody(source, size);
      const name = declared.get('path') ?? nameOf(header);
      declared = new Map();
      const kind = name.endsWith('/') ? 'folder' : (kinds[type] ?? 'special');
      yield { name, kind, declaredBytes: size, open: () => body.read() };
      await body.pass();
    }
  } finally {
    await source.end();
  }
}

function padding(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** The content between two headers. */
class EntryBody {
  readonly #source: ByteSource;
  readonly #size: number;
  #left: number;

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.#size = size;
    this.#left = size;
  }

  async *read(): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      const piece = await this.#source.some(this.#left);
      if (piece.length === 0) throw damaged();
      this.#left -= piece.length;
      yield piece;
    }
  }

  async pass(): Promise<void> {
    for await (const _ of this.read());
    await this.#source.exactly(padding(this.#size));
  }
}
