import type { PDFDocument } from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';
import { facesOf } from '../fonts/font-coverage.ts';
import type { FontFace } from '../fonts/font-face.ts';
import { findSystemFonts, type FontStyle, shippedFonts } from '../fonts/font-files.ts';
import { EmbeddedFont } from './embedded-font.ts';

/** A piece of text in one font. */
export interface FontRun {
  font: EmbeddedFont;
  text: string;
  /** Relative to the font size. */
  width: number;
}

/** Scripts with contextual letter forms or right-to-left text: drawn one by one, they would be wrong. */
const shaped =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Lao}\p{Script=Thai}\p{Script=Mongolian}]/u;
const essential = /[\p{L}\p{N}]/u;
const invisible = /[\p{Cc}\p{Cf}\ufe00-\ufe0f]/u;

const faceNames: readonly [RegExp, RegExp][] = [
  [/[\u3040-\u30ff]/, /JP|jp/],
  [/[\uac00-\ud7af\u1100-\u11ff]/, /KR|kr/],
  [/./, /SC|sc|CN/],
];

/** Chooses the face of a font collection for the language of the text: some characters are written differently in Japan and in China. */
function chooseFace(faces: readonly FontFace[], sample: string): FontFace | undefined {
  const plain = faces.filter(({ name }) => !name.includes('Mono'));
  const wanted = faceNames.find(([script]) => script.test(sample))?.[1];
  return plain.find(({ name }) => wanted?.test(name)) ?? plain[0] ?? faces[0];
}

/** What a text is refused with that cannot be set. */
interface Refusal {
  /** Where the text came from. */
  field: string;
  remedy: string;
}

/** The fonts of one document, which measure and draw its text. Characters without a font are rejected or left out. */
export class FontBook {
  readonly #document: PDFDocument;
  readonly #sample: string;
  readonly #refusal: Refusal;
  readonly #fonts = new Map<string, EmbeddedFont | null>();
  readonly #chosen = new Map<string, EmbeddedFont | null>();
  /** Symbols that no font has. */
  readonly missing = new Set<string>();

  /** @param sample the document's text, to choose fonts for its language */
  constructor(document: PDFDocument, sample: string, refusal: Refusal = { field: 'markdown', remedy: 'Make a .docx of it.' }) {
    this.#document = document;
    this.#sample = sample;
    this.#refusal = refusal;
  }

  /** The fonts that were used. */
  get used(): EmbeddedFont[] {
    return [...this.#fonts.values()].filter((font) => font !== null).filter(({ isUsed }) => isUsed);
  }

  #open(file: string): EmbeddedFont | null {
    const known = this.#fonts.get(file);
    if (known !== undefined) return known;
    const face = chooseFace(facesOf(file), this.#sample);
    const font = face ? new EmbeddedFont(face, `F${this.#fonts.size}`, this.#document) : null;
    this.#fonts.set(file, font);
    return font;
  }

  #choose(character: string, style: FontStyle | 'code'): EmbeddedFont | null {
    const codePoint = character.codePointAt(0) ?? 0;
    const { fallback, bold, monospace } = findSystemFonts();
    const isBold = style === 'bold' || style === 'boldItalic';
    const first = style === 'code' ? [...monospace.slice(0, 1), shippedFonts.regular] : [shippedFonts[style]];
    for (const file of [...first, ...(isBold ? bold : []), ...fallback]) {
      const font = this.#open(file);
      if (font?.covers(codePoint)) return font;
    }
    return null;
  }

  #fontFor(character: string, style: FontStyle | 'code'): EmbeddedFont | null {
    const key = `${style}${character}`;
    const known = this.#chosen.get(key);
    if (known !== undefined) return known;
    const font = this.#choose(character, style);
    const isLetter = essential.test(character);
    const { field, remedy } = this.#refusal;
    if (shaped.test(character) && isLetter)
      throw invalidField(field, `"${character}" is of a script that cannot be set here. ${remedy}`);
    if (!font && isLetter) {
      const fonts = 'Or have a font with it installed on the machine (fonts-noto-cjk, fonts-noto-core).';
      throw invalidField(field, `no font of this machine has the character "${character}". ${remedy} ${fonts}`);
    }
    if (!font && !invisible.test(character)) this.missing.add(character);
    this.#chosen.set(key, font);
    return font;
  }

  /** A font that has every character of a text, for what can be set in one only; null if none has, or the script needs shaping. */
  findWhole(text: string): EmbeddedFont | null {
    const needed = Array.from(text).filter((character) => !invisible.test(character));
    if (needed.some((character) => shaped.test(character))) return null;
    const files = [shippedFonts.regular, ...findSystemFonts().fallback];
    for (const file of files) {
      const font = this.#open(file);
      if (font && needed.every((character) => font.covers(character.codePointAt(0) ?? 0))) return font;
    }
    return null;
  }

  /** Splits a text into runs by font. */
  split(text: string, style: FontStyle | 'code'): FontRun[] {
    const runs: FontRun[] = [];
    for (const character of text) {
      const font = this.#fontFor(character, style);
      if (!font) continue;
      const width = font.widthOf(character.codePointAt(0) ?? 0);
      const last = runs.at(-1);
      if (last?.font === font) {
        last.text += character;
        last.width += width;
      } else runs.push({ font, text: character, width });
    }
    return runs;
  }

  /** Relative to the font size. */
  measure(text: string, style: FontStyle | 'code'): number {
    return this.split(text, style).reduce((sum, { width }) => sum + width, 0);
  }
}
