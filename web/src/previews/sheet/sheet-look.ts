/** The displayed style of a cell. */
export interface SheetLook {
  isBold: boolean;
  isItalic: boolean;
  align: 'left' | 'center' | 'right' | null;
  /** CSS colors, for both themes. */
  color: string | null;
  fill: string | null;
}

/** A spreadsheet color: RGB, or a theme color with a tint. */
export interface SheetColor {
  rgb?: string;
  theme?: number;
  tint?: number;
}

type Parts = readonly [number, number, number];

/** The colors of the default Office theme, for files without a theme. */
const officeTheme = ['FFFFFF', '000000', 'E7E6E6', '44546A', '4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47'];

function readParts(hex: string): Parts | null {
  const digits = /^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (digits === undefined) return null;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

const mix = (parts: Parts, other: number, share: number): Parts => [
  parts[0] + (other - parts[0]) * share,
  parts[1] + (other - parts[1]) * share,
  parts[2] + (other - parts[2]) * share,
];

const writeHex = (parts: Parts) => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** The relative luminance of a color, from 0 to 1 (WCAG 2). */
function measureLight(parts: Parts): number {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function resolve(color: SheetColor | undefined, theme: readonly string[]): Parts | null {
  const named = color?.rgb ?? (color?.theme === undefined ? undefined : (theme[color.theme] ?? officeTheme[color.theme]));
  const parts = named === undefined ? null : readParts(named);
  const tint = color?.tint ?? 0;
  if (!parts || tint === 0) return parts;
  return tint < 0 ? mix(parts, 0, Math.min(1, -tint)) : mix(parts, 255, Math.min(1, tint));
}

/** Adjusts a color until it is readable on its background (4.5 to 1). */
function makeReadable(parts: Parts, ground: number): Parts {
  // The luminance on which black and white are equally readable.
  const target = ground > 0.18 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.1) {
    const tried = mix(parts, target, share);
    const [low, high] = [measureLight(tried), ground].toSorted((one, other) => one - other) as [number, number];
    if ((high + 0.05) / (low + 0.05) >= 4.5) return tried;
  }
  return mix(parts, target, 1);
}

/** The background luminance of both themes. */
const papers = { light: 0.96, dark: 0.012 };
const black: Parts = [0, 0, 0];

/** The colors of a cell: those of its file, adjusted until its text is readable in either theme. */
export function chooseColors(
  { font, fill }: { font?: SheetColor | undefined; fill?: SheetColor | undefined },
  theme: readonly string[],
): Pick<SheetLook, 'color' | 'fill'> {
  const [ink, ground] = [resolve(font, theme), resolve(fill, theme)];
  if (ground) return { fill: writeHex(ground), color: writeHex(makeReadable(ink ?? black, measureLight(ground))) };
  // Black and white are the default text colors of the themes.
  if (!ink || measureLight(ink) < 0.01 || measureLight(ink) > 0.99) return { fill: null, color: null };
  const [light, dark] = [papers.light, papers.dark].map((paper) => writeHex(makeReadable(ink, paper)));
  return { fill: null, color: `light-dark(${light}, ${dark})` };
}

const named: Readonly<Record<string, string>> = {
  red: 'C00000',
  blue: '1F5AA8',
  green: '2F7D32',
  cyan: '007C8A',
  magenta: 'A0278F',
  yellow: '8A6D00',
};

/** The color set by a number format. */
export function colorOfFormat(name: string | null): string | null {
  const rgb = named[name ?? ''];
  return rgb === undefined ? null : chooseColors({ font: { rgb } }, []).color;
}
