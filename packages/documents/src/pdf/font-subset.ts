import type { FontFace } from '../fonts/font-face.ts';

/** A font file with the outlines of some glyphs only; all glyphs keep their ids. */
export interface FontSubset {
  bytes: Uint8Array;
  kind: 'trueType' | 'cff';
}

const kept = ['cvt ', 'fpgm', 'prep', 'head', 'hhea', 'hmtx', 'maxp'];

/** The components of a composite glyph. */
function listComponents(glyph: Buffer): number[] {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return [];
  const components: number[] = [];
  for (let at = 10, flags = 0x20; (flags & 0x20) !== 0 && at + 4 <= glyph.length; ) {
    flags = glyph.readUInt16BE(at);
    components.push(glyph.readUInt16BE(at + 2));
    at += 4 + ((flags & 1) !== 0 ? 4 : 2);
    if ((flags & 0x08) !== 0) at += 2;
    else if ((flags & 0x40) !== 0) at += 4;
    else if ((flags & 0x80) !== 0) at += 8;
  }
  return components;
}

function sumWords(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function writeTables(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.length);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables.length, 4);
  let offset = head.length;
  const bodies = tables.map(([tag, table], at) => {
    const body = pad(table);
    const entry = 12 + 16 * at;
    head.write(tag, entry, 'latin1');
    head.writeUInt32BE(sumWords(body), entry + 4);
    head.writeUInt32BE(offset, entry + 8);
    head.writeUInt32BE(table.length, entry + 12);
    offset += body.length;
    return body;
  });
  return Buffer.concat([head, ...bodies]);
}

/** Copies the outlines of the wanted glyphs and their components; all others are empty. */
function cutTrueType(face: FontFace, wanted: ReadonlySet<number>, glyf: Buffer, loca: Buffer, head: Buffer): Buffer {
  const isLong = head.readInt16BE(50) === 1;
  const offsetOf = (glyph: number) => (isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph));
  const outline = (glyph: number) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
  const needed = new Set([0, ...wanted]);
  for (const glyph of needed) for (const part of listComponents(outline(glyph))) needed.add(part);
  const newLoca = Buffer.alloc(4 * (face.glyphCount + 1));
  const outlines: Buffer[] = [];
  let offset = 0;
  for (let glyph = 0; glyph < face.glyphCount; glyph++) {
    newLoca.writeUInt32BE(offset, 4 * glyph);
    if (!needed.has(glyph)) continue;
    const body = pad(outline(glyph));
    outlines.push(body);
    offset += body.length;
  }
  newLoca.writeUInt32BE(offset, 4 * face.glyphCount);
  const newHead = Buffer.from(head);
  newHead.writeInt16BE(1, 50);
  const others = kept.flatMap((tag): [string, Buffer][] => {
    const table = tag === 'head' ? newHead : face.table(tag);
    return table ? [[tag, table]] : [];
  });
  const all: [string, Buffer][] = [...others, ['glyf', Buffer.concat(outlines)], ['loca', newLoca]];
  return writeTables(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Index {
  count: number;
  end: number;
  entry(at: number): Buffer;
}

/** An INDEX of a CFF table. */
function readIndex(cff: Buffer, start: number): Index {
  const count = cff.readUInt16BE(start);
  if (count === 0) return { count, end: start + 2, entry: () => Buffer.alloc(0) };
  const size = cff.readUInt8(start + 2);
  const base = start + 3 + (count + 1) * size - 1;
  const offset = (at: number) => base + cff.readUIntBE(start + 3 + at * size, size);
  return { count, end: offset(count), entry: (at) => cff.subarray(offset(at), offset(at + 1)) };
}

/** Operators of a CFF dictionary with their numbers; real numbers are read as 0, because none are needed here. */
function readDictionary(bytes: Buffer): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at++);
    if (first <= 21) {
      found.set(first === 12 ? 1200 + bytes.readUInt8(at++) : first, operands);
      operands = [];
    } else if (first === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (first === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (first === 30) {
      while ((bytes.readUInt8(at) & 0xf) !== 0xf && bytes.readUInt8(at) >> 4 !== 0xf) at++;
      at++;
      operands.push(0);
    } else if (first <= 246) operands.push(first - 139);
    else if (first <= 250) operands.push((first - 247) * 256 + bytes.readUInt8(at++) + 108);
    else operands.push(-(first - 251) * 256 - bytes.readUInt8(at++) - 108);
  }
  return found;
}

/** Rejects CID fonts whose glyph ids differ from their CIDs: they would show wrong letters. */
function keepsNumbers(cff: Buffer, dictionary: ReadonlyMap<number, number[]>, glyphCount: number): boolean {
  const isCharacterKeyed = dictionary.has(1230);
  const charset = dictionary.get(15)?.[0] ?? 0;
  if (!isCharacterKeyed) return true;
  const isOneRange = charset > 2 && cff.readUInt8(charset) === 2;
  return isOneRange && cff.readUInt16BE(charset + 1) === 1 && cff.readUInt16BE(charset + 3) === glyphCount - 2;
}

/**
 * Replaces the CharStrings INDEX with one of the wanted outlines. It is shorter, so that all other parts keep their offsets; the padding
 * zeros compress to nothing.
 */
function cutCff(cff: Buffer, wanted: ReadonlySet<number>): Buffer | null {
  const names = readIndex(cff, cff.readUInt8(2));
  const dictionary = readDictionary(readIndex(cff, names.end).entry(0));
  const start = dictionary.get(17)?.[0];
  if (start === undefined) return null;
  const outlines = readIndex(cff, start);
  if (!keepsNumbers(cff, dictionary, outlines.count)) return null;
  const endOnly = Buffer.from([14]);
  const bodies = Array.from({ length: outlines.count }, (_, at) => (at === 0 || wanted.has(at) ? outlines.entry(at) : endOnly));
  const index = Buffer.alloc(3 + 4 * (outlines.count + 1));
  index.writeUInt16BE(outlines.count, 0);
  index.writeUInt8(4, 2);
  let offset = 1;
  for (const [at, body] of bodies.entries()) {
    index.writeUInt32BE(offset, 3 + 4 * at);
    offset += body.length;
  }
  index.writeUInt32BE(offset, 3 + 4 * outlines.count);
  const cut = Buffer.from(cff);
  cut.fill(0, start, outlines.end);
  const list = Buffer.concat([index, ...bodies]);
  if (list.length > outlines.end - start) return null;
  list.copy(cut, start);
  return cut;
}

/** The font data to embed in a PDF; null for a font that cannot be subset. */
export function cutFont(face: FontFace, wanted: ReadonlySet<number>): FontSubset | null {
  const [glyf, loca, head, cff] = [face.table('glyf'), face.table('loca'), face.table('head'), face.table('CFF ')];
  if (glyf && loca && head) return { bytes: cutTrueType(face, wanted, glyf, loca, head), kind: 'trueType' };
  const cut = cff ? cutCff(cff, wanted) : null;
  return cut && { bytes: cut, kind: 'cff' };
}
