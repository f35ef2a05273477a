import { cleanText, escapeMarkup } from '../clean-text.ts';
import { coverText } from '../fonts/font-coverage.ts';
import { textWidth } from '../fonts/text-width.ts';
import type { EditOperation } from './picture-edit-spec.ts';
import { rasterSvg } from './svg-raster.ts';

interface Drawing {
  bytes: Uint8Array;
  width: number;
  height: number;
}

function paint(color: string): string {
  const opacity = color.length > 7 ? Number.parseInt(color.slice(7), 16) / 255 : 1;
  return `fill="${color.slice(0, 7)}" fill-opacity="${opacity.toFixed(3)}"`;
}

function wrapSvg(width: number, height: number, inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`;
}

/** Text as a separate picture. Throws a Fault if letters have no font. */
export function drawText(operation: EditOperation, usualSize: number): Drawing {
  const { size = usualSize, bold: isBold = false, color = '#ffffff', background } = operation;
  const text = cleanText(operation.text ?? '');
  const { extraFiles } = coverText(text, 'Write them in other letters.');
  const lines = text.split('\n');
  const padding = background === undefined ? 2 : size * 0.4;
  const widest = lines.reduce((most, line) => Math.max(most, textWidth(line, isBold)), 0) * size * 1.02;
  const [width, height] = [Math.ceil(widest + 2 * padding), Math.ceil(lines.length * size * 1.25 + 2 * padding)].map((part) =>
    Math.min(part, 8_000),
  ) as [number, number];
  const ground =
    background === undefined ? '' : `<rect width="${width}" height="${height}" rx="${size * 0.2}" ${paint(background)}/>`;
  const weight = isBold ? ' font-weight="bold"' : '';
  const written = lines.map((line, at) => {
    const y = padding + size * (1.25 * at + 0.98);
    return `<text x="${padding}" y="${y.toFixed(1)}" xml:space="preserve">${escapeMarkup(line)}</text>`;
  });
  const group = `<g font-family="Liberation Sans" font-size="${size}"${weight} ${paint(color)}>${written.join('')}</g>`;
  return { bytes: rasterSvg(wrapSvg(width, height, ground + group), 1, extraFiles), width, height };
}

/** A filled box as a separate picture. */
export function drawBox({ width = 1, height = 1, radius = 0, color = '#000000' }: EditOperation): Drawing {
  const box = `<rect width="${width}" height="${height}" rx="${radius}" ${paint(color)}/>`;
  return { bytes: rasterSvg(wrapSvg(width, height, box), 1, []), width, height };
}
