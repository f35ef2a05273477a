import { facesOf } from './font-coverage.ts';
import { shippedFonts } from './font-files.ts';

const widths = new Map<string, number>();

/** Scripts with square characters. */
const square =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function measureCharacter(character: string, isBold: boolean): number {
  const [face] = facesOf(isBold ? shippedFonts.bold : shippedFonts.regular);
  const glyph = face?.glyphOf(character.codePointAt(0) ?? 0) ?? 0;
  if (face && glyph !== 0) return face.advanceOf(glyph) / face.unitsPerEm;
  return square.test(character) ? 1 : 0.6;
}

/** The width of a line of text in the shipped font, relative to the font size; an estimate for other characters. */
export function textWidth(text: string, isBold = false): number {
  let width = 0;
  for (const character of text) {
    const key = isBold ? `b${character}` : character;
    let known = widths.get(key);
    if (known === undefined) {
      known = measureCharacter(character, isBold);
      widths.set(key, known);
    }
    width += known;
  }
  return width;
}
