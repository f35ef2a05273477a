import { crc32, deflateRawSync } from 'node:zlib';

/** Archives written byte by byte, so that they can be as malformed as an attacker's. */

export interface ZipPart {
  name: string | Buffer;
  content?: Buffer | string;
  /** Values for the headers; correct by default. */
  size?: number;
  packedSize?: number;
  crc?: number;
  method?: 0 | 8;
  /** The Unix mode, which identifies links and devices. */
  mode?: number;
  isEncrypted?: boolean;
  /** The offset in the directory; correct by default. */
  offset?: number;
  /** Raw deflate data, in place of `content`. */
  packed?: Buffer;
}

interface Written {
  local: Buffer;
  central: (offset: number) => Buffer;
}

function writePart({ name, content = '', mode = 0o100644, method = 8, isEncrypted = false, ...declared }: ZipPart): Written {
  const bytes = Buffer.from(content);
  const packed = declared.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes);
  const rawName = Buffer.from(name);
  const { size = bytes.length, packedSize = packed.length, crc = crc32(bytes) } = declared;
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE((isEncrypted ? 1 : 0) | 0x800, 2);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt32LE(crc >>> 0, 10);
  facts.writeUInt32LE(packedSize, 14);
  facts.writeUInt32LE(size, 18);
  facts.writeUInt16LE(rawName.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, rawName, packed]);
  const central = (offset: number) => {
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(declared.offset ?? offset, 10);
    const made = Buffer.from([20, 3]);
    return Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), made, facts, tail, rawName]);
  };
  return { local, central };
}

export function zip(parts: readonly ZipPart[], declared: { entries?: number } = {}): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { local, central } = writePart(part);
    centrals.push(central(offset));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE((declared.entries ?? parts.length) & 0xffff, 8);
  end.writeUInt16LE((declared.entries ?? parts.length) & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

export interface TarPart {
  name: string;
  content?: Buffer | string;
  type?: string;
  link?: string;
  size?: number;
  /** A wrong checksum. */
  isBroken?: boolean;
}

export function tarHeader({ name, content = '', type = '0', link = '', size, isBroken = false }: TarPart): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${(size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\u000000', 257);
  let sum = isBroken ? 1 : 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export function tar(parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap((part) => {
    const content = Buffer.from(part.content ?? '');
    return [tarHeader(part), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A name or attribute that does not fit a header. */
export function paxPart(key: string, value: string): TarPart {
  const line = (length: number) => `${length} ${key}=${value}\n`;
  let length = Buffer.byteLength(line(0));
  while (Buffer.byteLength(line(length)) !== length) length = Buffer.byteLength(line(length));
  return { name: 'pax', type: 'x', content: line(length) };
}
