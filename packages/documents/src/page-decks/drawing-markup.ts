import { cleanLine, escapeMarkup } from '../clean-text.ts';
import type { PageFill, PageFrame, PageLine } from './page-deck-spec.ts';

export const namespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const groupHead =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

/** English Metric Units of a CSS pixel. */
const unit = 9_525;

export function toUnits(pixels: number): number {
  return Math.round(pixels * unit);
}

/** Hundredths of a point, as type sizes are given. */
export function toPoints(pixels: number): number {
  return Math.round(pixels * 75);
}

/** A text in an attribute. */
export function attribute(text: string): string {
  return escapeMarkup(cleanLine(text));
}

/** Colors of the deck by their place in its theme. */
export type ThemeColors = ReadonlyMap<string, string>;

/** A color, by its place in the theme where it is one of the theme's. */
export function writeColor(color: string, theme: ThemeColors): string {
  const alpha = Number.parseInt(color.slice(7, 9), 16);
  const inner = alpha === 255 ? '' : `<a:alpha val="${Math.round((alpha / 255) * 100_000)}"/>`;
  const place = theme.get(color.slice(0, 7));
  const [tag, value] = place === undefined ? ['a:srgbClr', color.slice(1, 7).toUpperCase()] : ['a:schemeClr', place];
  return inner === '' ? `<${tag} val="${value}"/>` : `<${tag} val="${value}">${inner}</${tag}>`;
}

export function writeFill(fill: PageFill | null, theme: ThemeColors): string {
  if (!fill) return '<a:noFill/>';
  if ('color' in fill) return `<a:solidFill>${writeColor(fill.color, theme)}</a:solidFill>`;
  const stops = fill.stops.map(
    ({ at, color }) => `<a:gs pos="${Math.round(Math.min(1, Math.max(0, at)) * 100_000)}">${writeColor(color, theme)}</a:gs>`,
  );
  // Style sheets count from the top, drawings from the left.
  const angle = Math.round(((fill.angle + 270) % 360) * 60_000);
  return `<a:gradFill rotWithShape="1"><a:gsLst>${stops.join('')}</a:gsLst><a:lin ang="${angle}" scaled="0"/></a:gradFill>`;
}

const dashes = { solid: '', dashed: '<a:prstDash val="dash"/>', dotted: '<a:prstDash val="sysDot"/>' } as const;

/** @param tag `a:ln`, or that of one side of a cell */
export function writeLine(line: PageLine | null, theme: ThemeColors, tag = 'a:ln'): string {
  if (!line) return `<${tag} w="0"><a:noFill/></${tag}>`;
  const fill = `<a:solidFill>${writeColor(line.color, theme)}</a:solidFill>`;
  return `<${tag} w="${toUnits(line.width)}">${fill}${dashes[line.style]}</${tag}>`;
}

export function writePlace({ x, y, width, height }: PageFrame, tag = 'a:xfrm'): string {
  return `<${tag}><a:off x="${toUnits(x)}" y="${toUnits(y)}"/><a:ext cx="${toUnits(width)}" cy="${toUnits(height)}"/></${tag}>`;
}
