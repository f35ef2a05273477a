/** Letters smaller than this cannot be read. */
const smallestFontPx = 3;
/** Content this far outside the page cannot be scrolled into view. */
const farPx = 900;

function readStyle(style: string): Map<string, string> {
  const declarations = style.split(';').map((one) => one.split(':', 2).map((part) => part.trim().toLowerCase()));
  return new Map(
    declarations.flatMap(([name = '', value = '']) => (value === '' ? [] : [[name, value.replace(/\s*!important$/, '')]])),
  );
}

function pixels(value: string | undefined): number | null {
  const [, number, unit] = /^(-?[\d.]+)(px|pt|em|rem)?$/.exec(value ?? '') ?? [];
  if (number === undefined) return null;
  return Number(number) * ({ em: 16, rem: 16, pt: 4 / 3 }[unit ?? ''] ?? 1);
}

const isWhite = (color: string | undefined) => /^(white|#fff|#ffffff|rgba?\(255,\s*255,\s*255(,\s*1)?\))$/.test(color ?? '');
const isClear = (color: string | undefined) => /^(transparent|rgba\([^)]*,\s*0(\.0+)?\))$/.test(color ?? '');

function hasNoColor(style: ReadonlyMap<string, string>, isOnWhite: boolean): boolean {
  const color = style.get('color');
  const ground = style.get('background-color') ?? style.get('background');
  return isClear(color) || (color !== undefined && color === ground) || (isOnWhite && ground === undefined && isWhite(color));
}

function isOutside(style: ReadonlyMap<string, string>): boolean {
  const places = ['left', 'top', 'right', 'bottom', 'text-indent', 'margin-left', 'margin-top'];
  return places.some((name) => (pixels(style.get(name)) ?? 0) < -farPx);
}

function hasNoSize(style: ReadonlyMap<string, string>): boolean {
  const font = pixels(style.get('font-size'));
  const isClipped = /^(hidden|clip)$/.test(style.get('overflow') ?? '');
  const isSpeck = ['width', 'height', 'max-width', 'max-height'].some((name) => (pixels(style.get(name)) ?? 9) <= 1);
  return (font !== null && font < smallestFontPx) || (isClipped && isSpeck);
}

/**
 * How an element with this style escapes its readers: `shown-later`, as menus do until they are opened, `machines` if it is too small, too far
 * away, or has the color of its background. Null for what can be seen, and for what fades in.
 */
export function findEscape(style: string, isOnWhite: boolean): 'shown-later' | 'machines' | null {
  const read = readStyle(style);
  if (hasNoSize(read) || isOutside(read) || hasNoColor(read, isOnWhite)) return 'machines';
  return read.get('display') === 'none' || /^(hidden|collapse)$/.test(read.get('visibility') ?? '') ? 'shown-later' : null;
}
