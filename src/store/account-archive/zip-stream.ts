import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ArchiveFile } from './archive-manifest.ts';

interface Entry {
  name: string;
  crc: number;
  bytes: number;
  start: number;
}

/** Version 4.5 of the format has the 64-bit extension. */
const version = 45;
/** Names are UTF-8 (bit 11), and checksum and size follow the bytes (bit 3). */
const flags = 0x0808;
/** Midnight of 1 January 1980: the time of an entry says nothing. */
const noTime = 0x0021_0000;
const wide = 0xffff_ffff;
const wideField = 0x0001;

function writeHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(noTime, 10);
  header.writeUInt32LE(wide, 18);
  header.writeUInt32LE(wide, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  // Says that the sizes behind the bytes have eight bytes each.
  const field = Buffer.alloc(20);
  field.writeUInt16LE(wideField, 0);
  field.writeUInt16LE(16, 2);
  header.writeUInt16LE(field.length, 28);
  return Buffer.concat([header, Buffer.from(name), field]);
}

function writeDescriptor({ crc, bytes }: Entry): Buffer {
  const descriptor = Buffer.alloc(24);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeBigUInt64LE(BigInt(bytes), 8);
  descriptor.writeBigUInt64LE(BigInt(bytes), 16);
  return descriptor;
}

function writeDirectoryEntry({ name, crc, bytes, start }: Entry): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  // Created on a system with file permissions, so that unpacked files are readable by their owner.
  entry.writeUInt16LE((3 << 8) | version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt32LE(noTime, 12);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(wide, 20);
  entry.writeUInt32LE(wide, 24);
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt32LE(0o100600 * 0x10000, 38);
  entry.writeUInt32LE(wide, 42);
  const field = Buffer.alloc(28);
  field.writeUInt16LE(wideField, 0);
  field.writeUInt16LE(24, 2);
  field.writeBigUInt64LE(BigInt(bytes), 4);
  field.writeBigUInt64LE(BigInt(bytes), 12);
  field.writeBigUInt64LE(BigInt(start), 20);
  entry.writeUInt16LE(field.length, 30);
  return Buffer.concat([entry, Buffer.from(name), field]);
}

function writeEnd(count: number, bytes: number, start: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE((3 << 8) | version, 12);
  end.writeUInt16LE(version, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  // Where the record above is.
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(start + bytes), 64);
  end.writeUInt32LE(1, 72);
  // The end without the extension refers to it.
  end.writeUInt32LE(0x0605_4b50, 76);
  end.writeUInt16LE(0xffff, 84);
  end.writeUInt16LE(0xffff, 86);
  end.writeUInt32LE(wide, 88);
  end.writeUInt32LE(wide, 92);
  return end;
}

/**
 * A zip file of any size, written while its entries are read: nothing about them needs to be known before. Uncompressed, so that an archive
 * never unpacks to more than it has, and an import can insist on that.
 */
export class ZipStream {
  /** What was written, in order. */
  readonly files: ArchiveFile[] = [];
  readonly #entries: Entry[] = [];
  #at = 0;

  async *add(name: string, content: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
    const entry: Entry = { name, crc: 0, bytes: 0, start: this.#at };
    const digest = createHash('sha256');
    yield this.#count(writeHeader(name));
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      entry.crc = crc32(bytes, entry.crc);
      entry.bytes += bytes.byteLength;
      digest.update(bytes);
      yield this.#count(bytes);
    }
    yield this.#count(writeDescriptor(entry));
    this.#entries.push(entry);
    this.files.push({ name, bytes: entry.bytes, sha256: digest.digest('hex') });
  }

  /** The directory and the end of the file. */
  *end(): Generator<Uint8Array> {
    const start = this.#at;
    for (const entry of this.#entries) yield this.#count(writeDirectoryEntry(entry));
    yield writeEnd(this.#entries.length, this.#at - start, start);
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#at += bytes.byteLength;
    return bytes;
  }
}
