import { Fault } from '@errand/base/fault.ts';
import { escapeMarkup } from '../clean-text.ts';
import { findSystemFonts } from '../fonts/font-files.ts';
import { textWidth } from '../fonts/text-width.ts';
import { readCsvStart } from '../tables/csv-table.ts';
import { readNumberText } from '../tables/number-text.ts';
import type { CoverSize } from './page-cover.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';

const fontSize = 13;
const rowHeight = 25;
const gutter = 34;
const padding = 7;
const [narrowest, widest] = [56, 190];

/** `A`, `B`, … `Z`, `AA`. */
function letterOf(column: number): string {
  const rest = column % 26;
  const letter = String.fromCharCode(65 + rest);
  return column < 26 ? letter : letterOf((column - rest) / 26 - 1) + letter;
}

/** The prefix of a text that fits. */
export function cutToWidth(text: string, width: number, size: number, isBold = false): string {
  const fits = (candidate: string) => textWidth(candidate, isBold) * size <= width;
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
  if (fits(line)) return line;
  let end = line.length;
  while (end > 0 && !fits(`${line.slice(0, end)}…`)) end -= 1;
  return `${line.slice(0, end).toWellFormed()}…`;
}

interface Cell {
  text: string;
  x: number;
  width: number;
  isNumber: boolean;
}

function writeText(text: string, x: number, y: number, look: string): string {
  return text === '' ? '' : `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${look}>${escapeMarkup(text)}</text>`;
}

function writeCell({ text, x, width, isNumber }: Cell, y: number, isBold: boolean): string {
  const shown = cutToWidth(text, width - 2 * padding, fontSize, isBold);
  const look = `font-size="${fontSize}" fill="#1f2937"${isBold ? ' font-weight="700"' : ''}`;
  const base = y + rowHeight / 2 + fontSize * 0.36;
  if (!isNumber) return writeText(shown, x + padding, base, look);
  return writeText(shown, x + width - padding, base, `${look} text-anchor="end"`);
}

/** Column widths: as their first cells need, within bounds. */
function measureColumns(rows: readonly string[][], width: number): { x: number; width: number }[] {
  const columns: { x: number; width: number }[] = [];
  let x = gutter;
  const count = Math.max(...rows.map((row) => row.length));
  for (let at = 0; at < count && x < width; at++) {
    const longest = Math.max(...rows.map((row) => textWidth((row[at] ?? '').slice(0, 60), true)));
    const own = Math.min(widest, Math.max(narrowest, longest * fontSize + 2 * padding));
    columns.push({ x, width: own });
    x += own;
  }
  return columns;
}

/** The first rows of a table as a spreadsheet, with row and column headers. */
export function drawTable(content: Uint8Array, path: string, { width, height }: CoverSize): Uint8Array {
  const { rows, decimal } = readCsvStart(content, path);
  const shown = rows.slice(0, Math.ceil(height / rowHeight));
  if (shown.length === 0) throw new Fault('invalid_argument', 'The table is empty.');
  const columns = measureColumns(shown, width);
  const side = 'font-size="11" fill="#6b7280" text-anchor="middle"';
  const marks = columns.map((column, at) => writeText(letterOf(at), column.x + column.width / 2, rowHeight * 0.66, side));
  const lines = shown.flatMap((row, index) => {
    const y = (index + 1) * rowHeight;
    const cells = columns.map((column, at): Cell => {
      const text = row[at] ?? '';
      return { text, ...column, isNumber: index > 0 && readNumberText(text, decimal) !== null };
    });
    return [
      writeText(String(index + 1), gutter / 2, y + rowHeight * 0.66, side),
      ...cells.map((cell) => writeCell(cell, y, index === 0)),
    ];
  });
  const across = shown.map((_, index) => `M0 ${(index + 1) * rowHeight}H${width}`).join('');
  const down = [gutter, ...columns.map((column) => column.x + column.width)].map((x) => `M${x.toFixed(1)} 0V${height}`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans">
<rect width="${width}" height="${height}" fill="#fff"/><rect width="${width}" height="${rowHeight}" fill="#f3f4f6"/>
<rect width="${gutter}" height="${height}" fill="#f3f4f6"/><path d="${across}${down}" stroke="#e5e7eb" fill="none"/>
${marks.join('')}${lines.join('')}</svg>`;
  return rasterSvg(svg, 1, findSystemFonts().fallback);
}
