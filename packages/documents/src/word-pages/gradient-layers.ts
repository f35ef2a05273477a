/** A color of a gradient: `#rrggbb` and how opaque it is, from 0 to 1. */
interface Shade {
  color: string;
  opacity: number;
}

/** A length: a share of something, or pixels. */
interface Length {
  value: number;
  unit: '%' | 'px';
}

export interface GradientStop extends Shade {
  at: Length;
}

/** A gradient as style sheets write it. */
export interface Gradient {
  stops: readonly GradientStop[];
  /** Of a straight one: where it runs to, in degrees clockwise from the top. */
  angle?: number;
  /** Of a round one: its middle. */
  middle?: readonly [across: Length, down: Length];
  /** Of an oval: its radiuses; otherwise it is a circle that reaches to the farthest corner. */
  radiuses?: readonly [across: Length, down: Length];
  /** Side of the squares that it fills again and again, in pixels. */
  tile?: number;
}

const mostLayers = 12;
const mostStops = 40;

/** The parts of a list, separated by commas that are not in parentheses. */
function splitList(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function readShade(text: string): Shade | null {
  const [, hex] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text) ?? [];
  if (hex !== undefined) return { color: `#${hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex}`, opacity: 1 };
  if (text === 'transparent') return { color: '', opacity: 0 };
  const [, red, green, blue, alpha = '1'] = /^rgba?\((\d+)[ ,]+(\d+)[ ,]+(\d+)(?:\s*[,/]\s*([\d.]+))?\)$/.exec(text) ?? [];
  if (blue !== undefined) {
    const channels = [red, green, blue].map((one) => Math.min(255, Number(one)).toString(16).padStart(2, '0'));
    return { color: `#${channels.join('')}`, opacity: Math.min(1, Number(alpha)) };
  }
  const [, mixed, share] = /^color-mix\(in srgb, *(#[0-9a-f]{6}) (\d+)%, *transparent\)$/i.exec(text) ?? [];
  return mixed === undefined ? null : { color: mixed, opacity: Math.min(1, Number(share) / 100) };
}

function readLength(text: string): Length | null {
  const [, value, unit] = /^(-?[\d.]+)(%|px)?$/.exec(text) ?? [];
  return value === undefined ? null : { value: Number(value), unit: unit === 'px' ? 'px' : '%' };
}

function readLengths(text: string): Length[] {
  return text
    .split(/\s+/)
    .map(readLength)
    .filter((length) => length !== null);
}

/** Colors that say nothing of their place are at an even distance from the others. */
function readStops(parts: readonly string[]): GradientStop[] {
  const last = Math.max(1, parts.length - 1);
  const stops = parts.slice(0, mostStops).flatMap((part, at): GradientStop[] => {
    const [, color = '', rest = ''] = /^(#[0-9a-f]+|[a-z-]+\(.*\)|[a-z]+)(.*)$/i.exec(part) ?? [];
    const shade = readShade(color);
    if (!shade) return [];
    const places = readLengths(rest.trim());
    const even: Length = { value: (100 * at) / last, unit: '%' };
    return (places.length === 0 ? [even] : places.slice(0, 2)).map((place) => ({ ...shade, at: place }));
  });
  // What fades to nothing keeps its color, otherwise it would darken on the way.
  return stops.map((stop, at) => {
    if (stop.color !== '') return stop;
    const near = stops.slice(0, at).findLast(({ color }) => color !== '') ?? stops.slice(at).find(({ color }) => color !== '');
    return { ...stop, color: near?.color ?? '#000000' };
  });
}

function readRound(shape: string): Pick<Gradient, 'middle' | 'radiuses'> {
  const [form = '', place = '50% 50%'] = shape.split(/\bat\b/);
  const center: Length = { value: 50, unit: '%' };
  const [across = center, down = center] = readLengths(place.trim());
  const [wide, high] = readLengths(form.trim());
  return { middle: [across, down], ...(wide && high && { radiuses: [wide, high] }) };
}

function readLayer(text: string): Gradient | null {
  const [, kind, inner = '', rest = ''] = /^(linear|radial)-gradient\((.*)\)([^()]*)$/s.exec(text) ?? [];
  if (kind === undefined) {
    const shade = readShade(text);
    return shade && { stops: [0, 100].map((value) => ({ ...shade, at: { value, unit: '%' as const } })), angle: 180 };
  }
  const [first = '', ...others] = splitList(inner);
  const saysForm = kind === 'linear' ? /^-?[\d.]+deg$/.test(first) : /\bat\b|^circle|^ellipse/.test(first);
  const stops = readStops(saysForm ? others : [first, ...others]);
  if (stops.length < 2) return null;
  const [, side] = /\/\s*(\d+)px/.exec(rest) ?? [];
  const tile = side === undefined ? {} : { tile: Math.max(8, Number(side)) };
  if (kind === 'radial') return { stops, ...readRound(saysForm ? first : ''), ...tile };
  return { stops, angle: saysForm ? Number.parseFloat(first) : 180, ...tile };
}

/**
 * The layers of a background of gradients and colors, the lowest first. What is neither is left out.
 *
 * @param value as style sheets have it, without roles, from someone who may be hostile
 */
export function readGradients(value: string): Gradient[] {
  return splitList(value.replaceAll(/\s+/g, ' ').slice(0, 4_000))
    .slice(0, mostLayers)
    .toReversed()
    .flatMap((layer) => readLayer(layer) ?? []);
}
