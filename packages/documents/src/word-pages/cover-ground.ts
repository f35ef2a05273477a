import sharp from 'sharp';
import { resolveRole } from '../content/kit-roles.ts';
import type { Picture } from '../pictures/picture-file.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { type Gradient, type GradientStop, readGradients } from './gradient-layers.ts';
import type { WordTheme } from './word-theme.ts';

interface Size {
  width: number;
  height: number;
}

type Length = GradientStop['at'];

/** 144 pixels to the inch, in which edges of large forms are smooth. */
const zoom = 1.5;

function pixelsOf({ value, unit }: Length, whole: number): number {
  return unit === 'px' ? value : (value / 100) * whole;
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;

function writeStops(stops: readonly GradientStop[], length: number): string {
  let last = 0;
  return stops
    .map(({ color, opacity, at }) => {
      last = Math.max(last, Math.min(1, pixelsOf(at, length) / length));
      return `<stop offset="${round(last)}" stop-color="${color}" stop-opacity="${round(opacity)}"/>`;
    })
    .join('');
}

/** A straight gradient reaches to the corners, in whichever direction it runs. */
function writeStraight({ angle = 180, stops }: Gradient, { width, height }: Size, id: string): string {
  const turn = (angle * Math.PI) / 180;
  const [across, down] = [Math.sin(turn), -Math.cos(turn)];
  const length = Math.abs(width * across) + Math.abs(height * down);
  const place = (side: number) => [width / 2 + (side * across * length) / 2, height / 2 + (side * down * length) / 2].map(round);
  const [[x1, y1], [x2, y2]] = [place(-1), place(1)];
  const ends = `x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"`;
  return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${ends}>${writeStops(stops, length)}</linearGradient>`;
}

function writeRound({ middle, radiuses, stops }: Gradient, { width, height }: Size, id: string): string {
  const center: Length = { value: 50, unit: '%' };
  const [across, down] = middle ?? [center, center];
  const [x, y] = [pixelsOf(across, width), pixelsOf(down, height)];
  const farthest = Math.hypot(Math.max(x, width - x), Math.max(y, height - y));
  const [wide, high] = radiuses ? [pixelsOf(radiuses[0], width), pixelsOf(radiuses[1], height)] : [farthest, farthest];
  const transform = `translate(${round(x)} ${round(y)}) scale(${round(wide)} ${round(high)})`;
  const form = `gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="${transform}"`;
  return `<radialGradient id="${id}" ${form}>${writeStops(stops, wide)}</radialGradient>`;
}

function writeLayer(gradient: Gradient, page: Size, at: number): string {
  const { tile } = gradient;
  const size = tile === undefined ? page : { width: tile, height: tile };
  const write = gradient.middle ? writeRound : writeStraight;
  const paint = write(gradient, size, `g${at}`);
  const fill = (id: string, { width, height }: Size) => `<rect width="${width}" height="${height}" fill="url(#${id})"/>`;
  if (tile === undefined) return `<defs>${paint}</defs>${fill(`g${at}`, page)}`;
  const form = `patternUnits="userSpaceOnUse" width="${tile}" height="${tile}"`;
  return `<defs>${paint}<pattern id="p${at}" ${form}>${fill(`g${at}`, size)}</pattern></defs>${fill(`p${at}`, page)}`;
}

/**
 * Draws the ground of a cover, with the forms of its theme. Null if it has one color.
 *
 * @param page in pixels of 96 to the inch
 */
export async function drawCoverGround({ roles, colors }: WordTheme, page: Size): Promise<Picture | null> {
  const values = ['cover-art', 'cover'].map((role) => resolveRole(roles, role)).filter((value) => value !== '');
  if (!values.some((value) => value.includes('gradient('))) return null;
  const layers = readGradients(values.join(','));
  const base = `<rect width="100%" height="100%" fill="#${colors.cover}"/>`;
  const size = `width="${page.width}" height="${page.height}"`;
  const drawn = layers.map((layer, at) => writeLayer(layer, page, at)).join('');
  const png = rasterSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${base}${drawn}</svg>`, zoom, []);
  const bytes = await sharp(png).flatten().jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
  return { bytes, format: 'jpg', ...page };
}
