import { brotliDecompressSync } from 'node:zlib';
import { Fault } from '@errand/base/fault.ts';

const mostTables = 64;
/** What a font may unpack to. */
const mostBytes = 16 * 1024 * 1024;
const woff2 = 0x774f4632;
const trueType = 0x00010000;
const openType = 0x4f54544f;
/** Tables without which a font shows nothing. */
const neededTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

function damaged(): Fault {
  return new Fault('invalid_argument', 'the font file is damaged.');
}

function checkTables(font: Buffer): void {
  const count = font.readUInt16BE(4);
  if (count === 0 || count > mostTables || font.length < 12 + count * 16) throw damaged();
  const names = new Set<string>();
  for (let at = 12; at < 12 + count * 16; at += 16) {
    names.add(font.toString('latin1', at, at + 4));
    if (font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12) > font.length) throw damaged();
  }
  if (neededTables.some((name) => !names.has(name))) throw new Fault('invalid_argument', 'the font file has no letters in it.');
}

/** A number of one to five bytes, as the directory of WOFF2 has them; what follows it begins at `next`. */
function readBase128(bytes: Buffer, from: number): { value: number; next: number } {
  let value = 0;
  for (let at = from; at < from + 5; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte % 128);
    if (byte < 128) return { value, next: at + 1 };
  }
  throw damaged();
}

/** Where the directory ends, and what its tables unpack to. */
function readDirectory(bytes: Buffer, count: number): { end: number; size: number } {
  let [at, size] = [48, 0];
  for (let table = 0; table < count; table++) {
    const flags = bytes.readUInt8(at);
    const index = flags & 0x3f;
    const transform = flags >> 6;
    at += index === 0x3f ? 5 : 1;
    const original = readBase128(bytes, at);
    at = original.next;
    // glyf and loca are transformed unless they say 3, the others if they say anything.
    const isTransformed = index === 10 || index === 11 ? transform !== 3 : transform !== 0;
    const stored = isTransformed ? readBase128(bytes, at) : original;
    at = stored.next;
    size += stored.value;
  }
  return { end: at, size };
}

/** Unpacks it once: what unpacks to more than it says, or than fits, is refused here. */
function checkWoff2(bytes: Buffer): void {
  const [length, count, packed] = [bytes.readUInt32BE(8), bytes.readUInt16BE(12), bytes.readUInt32BE(20)];
  if (length !== bytes.length || count === 0 || count > mostTables) throw damaged();
  if (bytes.readUInt32BE(4) === 0x74746366) throw new Fault('invalid_argument', 'the file has several fonts in it. Give one.');
  const { end, size } = readDirectory(bytes, count);
  if (end + packed > bytes.length) throw damaged();
  if (size > mostBytes || bytes.readUInt32BE(16) > mostBytes) {
    throw new Fault('invalid_argument', `the font unpacks to more than ${mostBytes / 1024 / 1024} MB.`);
  }
  const unpacked = brotliDecompressSync(bytes.subarray(end, end + packed), { maxOutputLength: size + 1 });
  if (unpacked.length !== size) throw damaged();
}

/** What a font is. Throws a Fault for anything else, and for what a browser would not take. */
export function checkFont(content: Uint8Array): 'woff2' | 'ttf' {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  try {
    const kind = bytes.readUInt32BE(0);
    if (kind === woff2) {
      checkWoff2(bytes);
      return 'woff2';
    }
    if (kind !== trueType && kind !== openType) throw new Fault('invalid_argument', 'is neither a WOFF2 nor a TTF file.');
    checkTables(bytes);
    return 'ttf';
  } catch (error) {
    throw error instanceof Fault ? error : damaged();
  }
}
