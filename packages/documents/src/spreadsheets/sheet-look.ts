import { type KitRoles, readColor, readKitRoles, resolveRole } from '../content/kit-roles.ts';
import { seriesColors } from '../palette.ts';
import { themePlaces, type WorkbookTheme } from './workbook-theme.ts';

/** The look of a workbook: colors as `RRGGBB`, a font that every office has. */
export interface SheetLook {
  font: string;
  ink: string;
  /** Color behind the headers. */
  tint: string;
  /** Color of the lines below the headers and above the totals. */
  line: string;
  /** Color of the lines between rows. */
  hair: string;
  soft: string;
  /** Color of bars in cells, which is also the dark end of color scales. */
  bar: string;
  scale: string;
  marks: Record<'good' | 'warn' | 'bad', { ink: string; tint: string }>;
  /** Colors of the series of charts, in order. */
  series: readonly string[];
  /** Theme of the brand; null for the default theme of spreadsheet programs. */
  theme: WorkbookTheme | null;
}

/** A theme of the design kit, and the style sheet that comes after it. */
export interface SheetBrand {
  theme: string;
  styles: string;
}

const usual: SheetLook = {
  ...{
    font: 'Arial',
    ink: '0F172A',
    tint: 'EEF3FA',
    line: '1E40AF',
    hair: 'E2E8F0',
    soft: '5B6472',
    bar: 'C4D5F6',
    scale: '8FB2F2',
  },
  marks: {
    good: { ink: '0A7346', tint: 'E6F5ED' },
    warn: { ink: '8A5300', tint: 'FFF4E0' },
    bad: { ink: 'B3261E', tint: 'FDECEA' },
  },
  series: seriesColors.light.map((color) => color.slice(1).toUpperCase()),
  theme: null,
};

/** The first family of a list; fonts that were uploaded have no name that a program knows. */
function nameFont(families: string, otherwise: string): string {
  const [, family = otherwise] = /^\s*"([^"]+)"/.exec(families) ?? [];
  return family.startsWith('Brand ') ? otherwise : family;
}

function readTheme(roles: KitRoles, font: string): WorkbookTheme {
  const colors = Object.entries(themePlaces).flatMap(([place, role]) => {
    const color = readColor(resolveRole(roles, role));
    return color === null ? [] : [[place, color] as const];
  });
  const [headFont, textFont] = ['head-font', 'text-font'].map((role) => nameFont(resolveRole(roles, role), font));
  return { colors: Object.fromEntries(colors), headFont: headFont ?? font, textFont: textFont ?? font };
}

/** A paler color, on which dark text can be read. */
function mixWithWhite(color: string, part: number): string {
  const mixed = [0, 2, 4].map((at) => Math.round(255 * part + Number.parseInt(color.slice(at, at + 2), 16) * (1 - part)));
  return mixed
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** The look of a brand, or the usual one. Sheets are light, whatever the theme. */
export async function readSheetLook(brand: SheetBrand | undefined): Promise<SheetLook> {
  if (!brand) return usual;
  const roles = await readKitRoles(brand.theme, brand.styles);
  const colorOf = (role: string, otherwise: string) => readColor(resolveRole(roles, role)) ?? otherwise;
  // Tables of figures are set without serifs, whatever the theme, unless the brand has chosen a font with them.
  const isSerif = /--text-font:[^;]*"[^"]*(?:serif 4|garamond|fraunces|noto serif)/i.test(brand.styles);
  const font = isSerif ? 'Times New Roman' : usual.font;
  return {
    font,
    ink: colorOf('ink', usual.ink),
    tint: colorOf('tint', usual.tint),
    line: colorOf('accent', usual.line),
    hair: colorOf('line', usual.hair),
    soft: colorOf('soft', usual.soft),
    bar: mixWithWhite(colorOf('chart-1', usual.bar), 0.7),
    scale: mixWithWhite(colorOf('chart-1', usual.scale), 0.6),
    marks: {
      good: { ink: colorOf('good', usual.marks.good.ink), tint: colorOf('good-tint', usual.marks.good.tint) },
      warn: { ink: colorOf('warn', usual.marks.warn.ink), tint: colorOf('warn-tint', usual.marks.warn.tint) },
      bad: { ink: colorOf('bad', usual.marks.bad.ink), tint: colorOf('bad-tint', usual.marks.bad.tint) },
    },
    series: usual.series.map((color, at) => colorOf(`chart-${at + 1}`, color)),
    theme: readTheme(roles, font),
  };
}
