import sharp from 'sharp';
import { cleanLine, escapeMarkup } from '../clean-text.ts';
import { findSystemFonts } from '../fonts/font-files.ts';
import { textWidth } from '../fonts/text-width.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openPicture } from '../pictures/picture-file.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { cutToWidth } from './table-cover.ts';

export interface SharePictureJob {
  /** The title of what is shared. Any text. */
  title: string;
  /** The name under which the bytes of a picture of it are requested; null for none. */
  cover: string | null;
}

const [width, height, margin] = [1200, 630, 72];
/** The longest side of the picture, and the width of the paper around it. */
const [coverSide, paper] = [430, 12];
/** Sizes of the title and the lines that it may take: the first in which it is whole, otherwise the last. */
const looks = [
  { size: 68, most: 3 },
  { size: 56, most: 4 },
  { size: 46, most: 5 },
] as const;
const longestTitle = 400;

/** A word with the space after it; scripts without spaces break after each character and its punctuation. */
const pieces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]\p{P}*\s*|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+\s*/gu;

function breakLines(text: string, available: number, size: number): string[] {
  const lines: string[] = [];
  for (const [piece] of text.matchAll(pieces)) {
    const longer = (lines.at(-1) ?? '') + piece;
    if (lines.length > 0 && textWidth(longer.trimEnd(), true) * size <= available) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}

/** The lines of a title: what does not fit ends with an ellipsis. */
function setTitle(title: string, available: number): { size: number; lines: string[] } {
  const tried = looks.map(({ size, most }) => ({ size, most, lines: breakLines(title, available, size) }));
  const isWhole = ({ size, most, lines }: (typeof tried)[number]) =>
    lines.length <= most && lines.every((line) => textWidth(line.trimEnd(), true) * size <= available);
  const { size, most, lines } = tried.find(isWhole) ?? { ...looks[2], lines: breakLines(title, available, looks[2].size) };
  const shown = [...lines.slice(0, most - 1), lines.slice(most - 1).join('')].filter((line) => line !== '');
  return { size, lines: shown.map((line) => cutToWidth(line, available, size, true)) };
}

interface Cover {
  bytes: Uint8Array;
  width: number;
  height: number;
}

async function readCover(bytes: Uint8Array, path: string): Promise<Cover> {
  const { image } = await openPicture(bytes, path);
  const sized = image.resize({ width: coverSide, height: coverSide, fit: 'inside' }).flatten({ background: '#fff' });
  const { data, info } = await sized.toColourspace('srgb').png().toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

const mark = `<g transform="translate(${margin} ${margin}) scale(1.75)"><rect width="32" height="32" rx="8" fill="#2f5d50"/>
<path d="M22 10H12.5a2.5 2.5 0 0 0-2.5 2.5v7a2.5 2.5 0 0 0 2.5 2.5H22M10.5 16H20" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></g>
<text x="${margin + 76}" y="${margin + 40}" font-size="36" font-weight="700" fill="#2f5d50">Errand</text>`;

function drawWords(title: string, available: number): string {
  const { size, lines } = setTitle(title, available);
  const lead = size * 1.2;
  // In the middle of what is left below the mark.
  const first = margin + 56 + (height - 2 * margin - 56 - lines.length * lead) / 2 + size;
  return lines
    .map((line, at) => {
      const y = (first + at * lead).toFixed(1);
      return `<text x="${margin}" y="${y}" font-size="${size}" font-weight="700" fill="#1c2b26">${escapeMarkup(line)}</text>`;
    })
    .join('');
}

/** A PNG of 1200 by 630 pixels for link previews: the mark, the title, and a picture of what was made. */
export async function makeSharePicture(job: SharePictureJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const cover = job.cover === null ? null : await readCover(await readFile(job.cover), job.cover);
  const left = cover === null ? 0 : width - margin - cover.width;
  const top = cover === null ? 0 : Math.round((height - cover.height) / 2);
  const available = cover === null ? width - 2 * margin : left - paper - margin - 48;
  const sheet =
    cover === null
      ? ''
      : `<rect x="${left - paper}" y="${top - paper}" width="${cover.width + 2 * paper}" height="${cover.height + 2 * paper}" rx="8" fill="#fff" stroke="#d9d5c9" stroke-width="2"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans">
<rect width="${width}" height="${height}" fill="#f6f5f1"/><rect width="${width}" height="12" fill="#2f5d50"/>${mark}${sheet}
${drawWords(cleanLine(job.title).slice(0, longestTitle), available)}</svg>`;
  const { fallback, bold } = findSystemFonts();
  const ground = sharp(rasterSvg(svg, 1, [...fallback, ...bold]));
  const drawn = cover === null ? ground : ground.composite([{ input: Buffer.from(cover.bytes), left, top }]);
  const bytes = await drawn.flatten({ background: '#f6f5f1' }).png({ compressionLevel: 9 }).toBuffer();
  return { files: [{ path: 'picture.png', bytes }], notes: [] };
}
