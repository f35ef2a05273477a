import { Fault } from '@errand/base/fault.ts';
import { cleanLine, escapeMarkup } from '../clean-text.ts';
import { findSystemFonts } from '../fonts/font-files.ts';
import type { CoverSize } from './page-cover.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { cutToWidth } from './table-cover.ts';

const margin = 48;
const title = { size: 34, lines: 2 };
const body = { size: 18, lines: 7 };

/** The text of a slide on a plain background, the first line as its title: a cover for decks that cannot be rendered. */
export function drawSlideWords(content: Uint8Array, { width }: CoverSize): Uint8Array {
  const [first = '', ...rest] = Buffer.from(content)
    .toString('utf8')
    .split('\n')
    .map(cleanLine)
    .filter((line) => line !== '');
  if (first === '') throw new Fault('invalid_argument', 'The first slide has no words.');
  const height = (width * 9) / 16;
  const available = width - 2 * margin;
  const lines = rest.slice(0, body.lines).map((line, index) => {
    const y = 150 + index * body.size * 1.55;
    return `<text x="${margin}" y="${y}" font-size="${body.size}" fill="#475569">${escapeMarkup(cutToWidth(line, available, body.size))}</text>`;
  });
  const heading = escapeMarkup(cutToWidth(first, available, title.size, true));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans">
<rect width="${width}" height="${height}" fill="#fff"/><rect width="10" height="${height}" fill="#2f6b4f"/>
<text x="${margin}" y="100" font-size="${title.size}" font-weight="700" fill="#0f172a">${heading}</text>${lines.join('')}</svg>`;
  return rasterSvg(svg, 1, findSystemFonts().fallback);
}
