import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { Fault } from '@errand/base/fault.ts';

/** One file of an archive, as it is packed there. */
export interface ZipEntry {
  name: string;
  /** The name as it is written in the archive. */
  nameBytes: Buffer;
  flags: number;
  method: number;
  /** Time and date, as written. */
  time: number;
  crc: number;
  /** The packed bytes. */
  packed: Buffer;
  /** Size of the content. */
  size: number;
  madeBy: number;
  internalAttributes: number;
  externalAttributes: number;
  extra: Buffer;
  comment: Buffer;
}

const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const centralBytes = 46;
const localBytes = 30;
const mostEntries = 5_000;
const sizesFollow = 0x0008;
const nameIsUtf8 = 0x0800;
const isLocked = 0x0001;
const largeFileField = 0x0001;
const stored = 0;
const deflated = 8;
/** 1 January 1980, 0:00: files of an office package have no times. */
const noTime = 0x00210000;

function damaged(cause?: unknown): Fault {
  return new Fault('invalid_argument', 'path: the file is damaged or not of the type its name says.', { cause });
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endBytes - 0xffff);
  for (let at = bytes.length - endBytes; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endSignature && at + endBytes + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  throw damaged();
}

function decodeName(raw: Buffer): string {
  const text = raw.toString('utf8');
  return text.includes('\ufffd') ? raw.toString('latin1') : text;
}

/** Our own headers have the sizes, so the field for sizes beyond 4 GB is dropped. */
function keepExtra(extra: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) break;
    if (extra.readUInt16LE(at) !== largeFileField) kept.push(extra.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Where the packed bytes of an entry begin, after its own header. */
function findContent(bytes: Buffer, header: number, packedSize: number): number {
  if (header + localBytes > bytes.length || bytes.readUInt32LE(header) !== localSignature) throw damaged();
  const start = header + localBytes + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  if (start + packedSize > bytes.length) throw damaged();
  return start;
}

function readEntry(bytes: Buffer, at: number): { entry: ZipEntry; from: number; to: number; next: number } {
  if (at + centralBytes > bytes.length || bytes.readUInt32LE(at) !== centralSignature) throw damaged();
  const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
  const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
  const nameEnd = at + centralBytes + nameLength;
  const next = nameEnd + extraLength + commentLength;
  if (next > bytes.length) throw damaged();
  const nameBytes = bytes.subarray(at + centralBytes, nameEnd);
  const [packedSize, size, from] = [20, 24, 42].map((field) => bytes.readUInt32LE(at + field)) as [number, number, number];
  const start = findContent(bytes, from, packedSize);
  const flags = bytes.readUInt16LE(at + 8);
  if ((flags & isLocked) !== 0)
    throw new Fault('invalid_argument', 'path: the file is protected by a password. Ask for one without.');
  const entry: ZipEntry = {
    name: decodeName(nameBytes),
    nameBytes,
    flags: flags & ~sizesFollow,
    method: bytes.readUInt16LE(at + 10),
    time: bytes.readUInt32LE(at + 12),
    crc: bytes.readUInt32LE(at + 16),
    packed: bytes.subarray(start, start + packedSize),
    size,
    madeBy: bytes.readUInt16LE(at + 4),
    internalAttributes: bytes.readUInt16LE(at + 36),
    externalAttributes: bytes.readUInt32LE(at + 38),
    extra: keepExtra(bytes.subarray(nameEnd, nameEnd + extraLength)),
    comment: bytes.subarray(nameEnd + extraLength, next),
  };
  return { entry, from, to: start + packedSize, next };
}

/** The entries of an archive, in order and still packed. Throws a Fault for archives that no office program writes. */
export function readZip(bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > mostEntries) throw new Fault('payload_too_large', `path: the file has more than ${mostEntries} parts.`);
  const entries: ZipEntry[] = [];
  const spans: { from: number; to: number }[] = [];
  const names = new Set<string>();
  let at = bytes.readUInt32LE(end + 16);
  while (entries.length < count) {
    const { entry, from, to, next } = readEntry(bytes, at);
    // Two parts of one name, or two that share bytes, show different contents to different programs.
    if (names.has(entry.name)) throw damaged();
    names.add(entry.name);
    entries.push(entry);
    spans.push({ from, to });
    at = next;
  }
  spans.sort((a, b) => a.from - b.from);
  if (spans.some(({ from }, index) => from < (spans[index - 1]?.to ?? 0))) throw damaged();
  return entries;
}

/** The content of an entry. Never unpacks more than `most` bytes, or than the entry declares. */
export function unpackEntry({ name, method, packed, size, crc }: ZipEntry, most: number): Buffer {
  if (size > most)
    throw new Fault('payload_too_large', `path: ${name} in it unpacks to ${size} bytes, which is too large to edit.`);
  let content: Buffer;
  try {
    if (method === deflated) content = inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    else if (method === stored) content = packed;
    else throw damaged();
  } catch (error) {
    throw damaged(error);
  }
  if (content.length !== size || crc32(content) !== crc) throw damaged();
  return content;
}

/** Packs a content under a name; `former` is the entry that it replaces. */
export function packEntry(name: string, content: Uint8Array, former?: ZipEntry): ZipEntry {
  // Pictures are compressed already.
  const isPacked = /\.(png|jpe?g|gif|webp)$/i.test(name);
  const packed = isPacked ? Buffer.from(content) : deflateRawSync(content, { level: 6 });
  const plain = { nameBytes: Buffer.from(name), flags: nameIsUtf8, time: noTime, madeBy: 20, internalAttributes: 0 };
  const own = { ...plain, externalAttributes: 0, extra: Buffer.alloc(0), comment: Buffer.alloc(0), ...former };
  return { ...own, name, method: isPacked ? stored : deflated, crc: crc32(content), packed, size: content.length };
}

function writeShared({ flags, method, time, crc, packed, size, nameBytes }: ZipEntry): Buffer {
  const shared = Buffer.alloc(24);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(time, 6);
  shared.writeUInt32LE(crc, 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(size, 18);
  shared.writeUInt16LE(nameBytes.length, 22);
  return shared;
}

function writeCentral(entry: ZipEntry, offset: number): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(centralSignature, 0);
  head.writeUInt16LE(entry.madeBy, 4);
  const tail = Buffer.alloc(16);
  tail.writeUInt16LE(entry.extra.length, 0);
  tail.writeUInt16LE(entry.comment.length, 2);
  tail.writeUInt16LE(entry.internalAttributes, 6);
  tail.writeUInt32LE(entry.externalAttributes, 8);
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([head, writeShared(entry), tail, entry.nameBytes, entry.extra, entry.comment]);
}

/** An archive of these entries, in this order. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(localSignature, 0);
  const noExtra = Buffer.alloc(2);
  const pieces: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const local = Buffer.concat([head, writeShared(entry), noExtra, entry.nameBytes]);
    pieces.push(local, entry.packed);
    central.push(writeCentral(entry, offset));
    offset += local.length + entry.packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, directory, end]);
}
