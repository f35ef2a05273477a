import { type KitRoles, readColor, readKitRoles, resolveRole } from '../content/kit-roles.ts';
import { seriesColors } from '../palette.ts';
import { themePlaces, type WorkbookTheme } from './workbook-theme.ts';

/** The look of a workbook: colors as `RRGGBB`, a font that every office has. */
export interface SheetLook {
  font: string;
  ink: string;
  /** Behind the headers. */
  tint: string;
  /** Below the headers and above the totals. */
  line: string;
  /** Of the series of charts, in their order. */
  series: readonly string[];
  /** Of the brand; null for the usual one of spreadsheet programs. */
  theme: WorkbookTheme | null;
}

/** A theme of the design kit, and the style sheet that comes after it. */
export interface SheetBrand {
  theme: string;
  styles: string;
}

const usual: SheetLook = {
  ...{ font: 'Liberation Sans', ink: '0F172A', tint: 'DBEAFE', line: '93C5FD' },
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

/** The look of a brand, or the usual one. Sheets are light, whatever the theme. */
export async function readSheetLook(brand: SheetBrand | undefined): Promise<SheetLook> {
  if (!brand) return usual;
  const roles = await readKitRoles(brand.theme, brand.styles);
  const colorOf = (role: string, otherwise: string) => readColor(resolveRole(roles, role)) ?? otherwise;
  const isSerif = /"[^"]*(serif 4|garamond|fraunces|noto serif)/i.test(resolveRole(roles, 'text-font'));
  const font = isSerif ? 'Liberation Serif' : usual.font;
  return {
    font,
    ink: colorOf('ink', usual.ink),
    tint: colorOf('tint', usual.tint),
    line: colorOf('accent', usual.line),
    series: usual.series.map((color, at) => colorOf(`chart-${at + 1}`, color)),
    theme: readTheme(roles, font),
  };
}
