import { joinRuns } from '../content/blocks.ts';
import { textWidth } from '../fonts/text-width.ts';
import { bulletIndent, lineHeight, type Paragraph } from './deck-scene.ts';

/** Readers' fonts differ slightly from the measured one. */
const allowance = 1.03;
const wide = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{20000}-\u{3fffd}]/u;

/** The number of lines of a text; words are only broken if longer than a line. */
export function countLines(text: string, size: number, width: number, isBold = false): number {
  const available = width / (size * allowance);
  let lines = 0;
  for (const paragraph of text.split('\n')) {
    lines += 1;
    let used = 0;
    for (const word of paragraph.split(/(?<=\s)/)) {
      const needed = textWidth(word.trimEnd(), isBold);
      if (used + needed <= available) used += textWidth(word, isBold);
      else if (needed <= available && !wide.test(word)) {
        lines += 1;
        used = textWidth(word, isBold);
      } else {
        const all = used + needed;
        lines += Math.floor(all / available);
        used = all % available;
      }
    }
  }
  return lines;
}

export function measureParagraphs(paragraphs: readonly Paragraph[], width: number): number {
  return paragraphs.reduce((height, { runs, size, isBold, bulletLevel, spaceBefore = 0 }, at) => {
    const available = width - (bulletLevel === undefined ? 0 : bulletIndent * (bulletLevel + 1));
    const bold = isBold === true || runs.every((run) => run.isBold);
    const space = at === 0 ? 0 : spaceBefore;
    return height + space + countLines(joinRuns(runs), size, available, bold) * size * lineHeight;
  }, 0);
}

/** Shrinks paragraphs until they fit; null if that would take them below `smallest`. */
export function fitParagraphs(
  paragraphs: readonly Paragraph[],
  width: number,
  height: number,
  smallest: number,
): Paragraph[] | null {
  for (let scale = 1; ; scale -= 0.04) {
    const scaled = paragraphs.map(({ size, spaceBefore = 0, ...rest }): Paragraph => {
      return { ...rest, size: Math.round(size * scale * 2) / 2, spaceBefore: Math.round(spaceBefore * scale) };
    });
    if (measureParagraphs(scaled, width) <= height) return scaled;
    if (scaled.every(({ size }) => size <= smallest) || scale < 0.2) return null;
  }
}
