import type { LaidNode } from './layout-tree.ts';
import { boundLength, type Box, type Fill, type Frame, type Line } from './slide-data.ts';

const sides = ['left', 'top', 'right', 'bottom'] as const;
const colorPattern = /(?:rgba?|color)\([^)]*\)/;

function toHex(part: number): string {
  return Math.round(Math.min(1, Math.max(0, part)) * 255)
    .toString(16)
    .padStart(2, '0');
}

/** A computed color as `#rrggbbaa`; black for one of another color space. */
export function readColor(text: string, opacity = 1): string {
  const [, space = '', inner = ''] = /^(rgba?|color)\((.*)\)$/.exec(text.trim()) ?? [];
  const numbers = inner
    .replace('srgb', '')
    .split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (numbers.length < 3 || numbers.some((part) => !Number.isFinite(part))) return `#000000${toHex(opacity)}`;
  const scale = space === 'color' ? 1 : 255;
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  return `#${toHex(red / scale)}${toHex(green / scale)}${toHex(blue / scale)}${toHex(alpha * opacity)}`;
}

export function isTransparent(color: string): boolean {
  return color.endsWith('00');
}

/** The share of an element and all around it in what is seen. */
export function readOpacity(node: LaidNode): number {
  let opacity = 1;
  for (let at: LaidNode | null = node; at; at = at.parent) if (at.lines.length === 0) opacity *= Number(at.style('opacity') || 1);
  return opacity;
}

/** Gradients of one layer along a line; null for others. */
export function readGradient(text: string, opacity = 1): Fill | null {
  const inner = /^linear-gradient\(((?:[^()]|\([^()]*\))*)\)$/.exec(text)?.[1];
  if (inner === undefined) return null;
  const parts = inner.split(/,\s*(?![^(]*\))/);
  const angles: Record<string, number> = { 'to top': 0, 'to right': 90, 'to bottom': 180, 'to left': 270 };
  const first = parts[0] ?? '';
  const turned = /^([-\d.]+)deg$/.exec(first);
  const hasAngle = turned !== null || first in angles;
  const angle = turned ? Number(turned[1]) : (angles[first] ?? 180);
  const written = hasAngle ? parts.slice(1) : parts;
  const stops = written.map((part, index) => {
    const at = /([\d.]+)%\s*$/.exec(part)?.[1];
    const color = readColor(colorPattern.exec(part)?.[0] ?? '', opacity);
    return { at: at === undefined ? index / Math.max(1, written.length - 1) : boundLength(Number(at) / 100, 1), color };
  });
  return stops.length > 1 && stops.length <= 20 && written.every((part) => colorPattern.test(part))
    ? { angle: ((angle % 360) + 360) % 360, stops }
    : null;
}

export function readFill(node: LaidNode): Fill | null {
  const opacity = readOpacity(node);
  const gradient = readGradient(node.style('background-image'), opacity);
  if (gradient) return gradient;
  const color = readColor(node.style('background-color'), opacity);
  return isTransparent(color) ? null : { color };
}

function readSide(node: LaidNode, side: (typeof sides)[number]): Line | null {
  const style = node.style(`border-${side}-style`);
  const width = Number.parseFloat(node.style(`border-${side}-width`));
  const color = readColor(node.style(`border-${side}-color`), readOpacity(node));
  if (style === 'none' || style === 'hidden' || !(width > 0) || isTransparent(color)) return null;
  return { width: boundLength(width), color, style: style === 'dashed' || style === 'dotted' ? style : 'solid' };
}

/** Left, top, right, bottom. */
export function readBorders(node: LaidNode): (Line | null)[] {
  return sides.map((side) => readSide(node, side));
}

function readShadow(node: LaidNode): Box['shadow'] {
  const text = node.style('box-shadow');
  const color = colorPattern.exec(text)?.[0];
  if (color === undefined || text.includes('inset')) return null;
  const [x = 0, y = 0, blur = 0, spread = 0] =
    text
      .replace(color, '')
      .split(',')[0]
      ?.match(/-?[\d.]+px/g)
      ?.map((one) => Number.parseFloat(one)) ?? [];
  const shown = readColor(color, readOpacity(node));
  // A ring without blur is no shadow: it separates the element from what lies below.
  if (isTransparent(shown) || (blur === 0 && spread > 0)) return null;
  return { x: boundLength(x), y: boundLength(y), blur: boundLength(blur), color: shown };
}

/** The strip at one side of a box, for a border that the other sides lack. */
function sideStrip({ x, y, width, height }: Frame, side: number, line: Line): Frame {
  if (side === 0) return { x, y, width: line.width, height };
  if (side === 1) return { x, y, width, height: line.width };
  if (side === 2) return { x: x + width - line.width, y, width: line.width, height };
  return { x, y: y + height - line.width, width, height: line.width };
}

/** Background, border, and shadow of an element as shapes; none for one that shows nothing. */
export function readBoxes(node: LaidNode, frame: Frame): Box[] {
  const fill = readFill(node);
  const borders = readBorders(node);
  const shadow = readShadow(node);
  const [first] = borders;
  const isEven = borders.every((line) => line?.width === first?.width && line?.color === first?.color);
  const line = isEven ? (first ?? null) : null;
  const corners = ['top-left', 'bottom-left', 'bottom-right'].map((corner) => node.style(`border-${corner}-radius`));
  const longest = Math.max(
    ...corners.map((each) => (each.endsWith('%') ? (Number.parseFloat(each) / 100) * frame.width : Number.parseFloat(each) || 0)),
  );
  // A shape has one radius for all its corners.
  const isRounded = corners.every((corner) => corner === corners[0]);
  const radius = isRounded ? Math.min(longest, frame.width / 2, frame.height / 2) : 0;
  const inset = line ? line.width / 2 : 0;
  const inner = { x: frame.x + inset, y: frame.y + inset, width: frame.width - 2 * inset, height: frame.height - 2 * inset };
  const main: Box[] = fill || line ? [{ kind: 'box', frame: inner, fill, line, radius, shadow }] : [];
  if (isEven) return main;
  const strips = borders.flatMap((each, side): Box[] =>
    each
      ? [{ kind: 'box', frame: sideStrip(frame, side, each), fill: { color: each.color }, line: null, radius: 0, shadow: null }]
      : [],
  );
  return [...main, ...strips];
}
