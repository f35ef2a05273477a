/** One face of an OpenType file, as needed to measure and embed text. Lengths are in units of the face. */
export interface FontFace {
  readonly name: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** Left, bottom, right, top of all glyphs together. */
  readonly bounds: readonly [number, number, number, number];
  readonly glyphCount: number;
  /** 0 if the face has no glyph for the character. */
  glyphOf(codePoint: number): number;
  advanceOf(glyph: number): number;
  /** The bytes of a table; undefined if the face does not have it. */
  table(tag: string): Buffer | undefined;
}

type Tables = ReadonlyMap<string, Buffer>;

function readTables(file: Buffer, offset: number): Tables {
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(offset + 4);
  for (let at = 0; at < count; at++) {
    const entry = offset + 12 + 16 * at;
    const start = file.readUInt32BE(entry + 8);
    tables.set(file.toString('latin1', entry, entry + 4), file.subarray(start, start + file.readUInt32BE(entry + 12)));
  }
  return tables;
}

/** The offsets of the faces in a file: one, or those of a collection. */
function listOffsets(file: Buffer): number[] {
  if (file.toString('latin1', 0, 4) !== 'ttcf') return [0];
  return Array.from({ length: file.readUInt32BE(8) }, (_, at) => file.readUInt32BE(12 + 4 * at));
}

type GlyphLookup = (codePoint: number) => number;

/** Segments with deltas: characters of the Basic Multilingual Plane. */
function readFormat4(table: Buffer): GlyphLookup {
  const segments = table.readUInt16BE(6) / 2;
  const [ends, starts, deltas, ranges] = [14, 16 + 2 * segments, 16 + 4 * segments, 16 + 6 * segments];
  return (codePoint) => {
    if (codePoint > 0xffff) return 0;
    for (let at = 0; at < segments; at++) {
      if (table.readUInt16BE(ends + 2 * at) < codePoint) continue;
      const start = table.readUInt16BE(starts + 2 * at);
      if (start > codePoint) return 0;
      const delta = table.readUInt16BE(deltas + 2 * at);
      const range = table.readUInt16BE(ranges + 2 * at);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = table.readUInt16BE(ranges + 2 * at + range + 2 * (codePoint - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** Groups of consecutive characters, all planes. */
function readFormat12(table: Buffer): GlyphLookup {
  const groups = table.readUInt32BE(12);
  return (codePoint) => {
    let [low, high] = [0, groups - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const group = 16 + 12 * middle;
      if (codePoint < table.readUInt32BE(group)) high = middle - 1;
      else if (codePoint > table.readUInt32BE(group + 4)) low = middle + 1;
      else return table.readUInt32BE(group + 8) + codePoint - table.readUInt32BE(group);
    }
    return 0;
  };
}

function readCharacterMap(cmap: Buffer): GlyphLookup {
  const found = new Map<number, number>();
  for (let at = 0; at < cmap.readUInt16BE(2); at++) {
    const entry = 4 + 8 * at;
    const platform = cmap.readUInt16BE(entry);
    const offset = cmap.readUInt32BE(entry + 4);
    if (platform === 0 || platform === 3) found.set(cmap.readUInt16BE(offset), offset);
  }
  const [wide, narrow] = [found.get(12), found.get(4)];
  if (wide !== undefined) return readFormat12(cmap.subarray(wide));
  return narrow === undefined ? () => 0 : readFormat4(cmap.subarray(narrow));
}

/** The PostScript name, which also identifies the faces of a collection. */
function readName(table: Buffer): string {
  const strings = table.readUInt16BE(4);
  for (let at = 0; at < table.readUInt16BE(2); at++) {
    const entry = 6 + 12 * at;
    const isWindows = table.readUInt16BE(entry) === 3;
    if (!isWindows || table.readUInt16BE(entry + 6) !== 6) continue;
    const start = strings + table.readUInt16BE(entry + 10);
    const bytes = Buffer.from(table.subarray(start, start + table.readUInt16BE(entry + 8)));
    return bytes
      .swap16()
      .toString('utf16le')
      .replaceAll(/[^\w-]/g, '');
  }
  return 'Unnamed';
}

function readFace(tables: Tables): FontFace {
  const need = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (!found) throw new Error(`The font has no table ${tag}.`);
    return found;
  };
  const [head, hhea, hmtx, os2] = [need('head'), need('hhea'), need('hmtx'), tables.get('OS/2')];
  const measured = hhea.readUInt16BE(34);
  const ascent = hhea.readInt16BE(4);
  const hasCapHeight = os2 !== undefined && os2.length >= 90;
  return {
    name: readName(need('name')),
    unitsPerEm: head.readUInt16BE(18),
    ascent,
    descent: hhea.readInt16BE(6),
    capHeight: hasCapHeight ? os2.readInt16BE(88) : ascent * 0.75,
    bounds: [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)],
    glyphCount: need('maxp').readUInt16BE(4),
    glyphOf: readCharacterMap(need('cmap')),
    advanceOf: (glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, measured - 1)),
    table: (tag) => tables.get(tag),
  };
}

/** The faces of a local font file (.ttf, .otf, .ttc). Throws for invalid files. */
export function readFaces(file: Buffer): FontFace[] {
  return listOffsets(file).map((offset) => readFace(readTables(file, offset)));
}
