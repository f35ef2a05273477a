import { type PDFContext, type PDFDocument, PDFHexString, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { FontFace } from '../fonts/font-face.ts';
import { cutFont } from './font-subset.ts';

/** A face used by a document. It records what was drawn, and finally embeds only that. */
export class EmbeddedFont {
  readonly face: FontFace;
  readonly key: string;
  readonly #reference: PDFRef;
  readonly #used = new Map<number, string>();

  constructor(face: FontFace, key: string, document: PDFDocument) {
    this.face = face;
    this.key = key;
    this.#reference = document.context.nextRef();
  }

  get isUsed(): boolean {
    return this.#used.size > 0;
  }

  get reference(): PDFRef {
    return this.#reference;
  }

  covers(codePoint: number): boolean {
    return this.face.glyphOf(codePoint) !== 0;
  }

  /** The width of a character relative to the font size. */
  widthOf(codePoint: number): number {
    return this.face.advanceOf(this.face.glyphOf(codePoint)) / this.face.unitsPerEm;
  }

  /** The glyphs of a text, as encoded in a page's content. */
  encode(text: string): PDFHexString {
    let hex = '';
    for (const character of text) {
      const glyph = this.face.glyphOf(character.codePointAt(0) ?? 0);
      this.#used.set(glyph, character);
      hex += glyph.toString(16).padStart(4, '0');
    }
    return PDFHexString.of(hex);
  }

  /** Writes the font into the document. Call it once, after all drawing. */
  embed({ context }: PDFDocument): void {
    const glyphs = new Set(this.#used.keys());
    const subset = cutFont(this.face, glyphs);
    if (!subset) throw new Error(`The font ${this.face.name} cannot be embedded.`);
    const name = `ERRAND+${this.face.name}`;
    const isTrueType = subset.kind === 'trueType';
    const file = context.flateStream(subset.bytes, isTrueType ? {} : { Subtype: 'CIDFontType0C' });
    const descendant = context.obj({
      Type: 'Font',
      Subtype: isTrueType ? 'CIDFontType2' : 'CIDFontType0',
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFHexString.fromText('Adobe'), Ordering: PDFHexString.fromText('Identity'), Supplement: 0 },
      FontDescriptor: context.register(this.#describe(context, name, isTrueType, context.register(file))),
      DW: 1000,
      W: [...glyphs].sort((a, b) => a - b).flatMap((glyph) => [glyph, [this.#thousandths(this.face.advanceOf(glyph))]]),
      ...(isTrueType ? { CIDToGIDMap: 'Identity' } : {}),
    });
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(context.flateStream(this.#mapToText())),
    });
    context.assign(this.#reference, font);
  }

  #thousandths(length: number): number {
    return Math.round((length * 1000) / this.face.unitsPerEm);
  }

  #describe(context: PDFContext, name: string, isTrueType: boolean, file: PDFRef) {
    const { ascent, descent, capHeight, bounds } = this.face;
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: bounds.map((length) => this.#thousandths(length)),
      ItalicAngle: /Italic|Oblique/.test(this.face.name) ? -12 : 0,
      Ascent: this.#thousandths(ascent),
      Descent: this.#thousandths(descent),
      CapHeight: this.#thousandths(capHeight),
      StemV: /Bold/.test(this.face.name) ? 140 : 80,
    });
    descriptor.set(PDFName.of(isTrueType ? 'FontFile2' : 'FontFile3'), file);
    return descriptor;
  }

  /** Lets readers copy and search the text that was drawn as glyphs. */
  #mapToText(): string {
    const lines = [...this.#used].map(([glyph, character]) => {
      const text = Buffer.from(character, 'utf16le').swap16().toString('hex');
      return `<${glyph.toString(16).padStart(4, '0')}> <${text}>`;
    });
    const parts: string[] = [];
    for (let at = 0; at < lines.length; at += 100) {
      const part = lines.slice(at, at + 100);
      parts.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${parts.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
  }
}
