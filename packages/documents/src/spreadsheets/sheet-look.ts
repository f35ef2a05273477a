import { readColor, readKitRoles, resolveRole } from '../content/kit-roles.ts';
import { seriesColors } from '../palette.ts';

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
}

/** A theme of the design kit, and the style sheet that comes after it. */
export interface SheetBrand {
  theme: string;
  styles: string;
}

const usual: SheetLook = {
  ...{ font: 'Liberation Sans', ink: '0F172A', tint: 'DBEAFE', line: '93C5FD' },
  series: seriesColors.light.map((color) => color.slice(1).toUpperCase()),
};

/** The look of a brand, or the usual one. Sheets are light, whatever the theme. */
export async function readSheetLook(brand: SheetBrand | undefined): Promise<SheetLook> {
  if (!brand) return usual;
  const roles = await readKitRoles(brand.theme, brand.styles);
  const colorOf = (role: string, otherwise: string) => readColor(resolveRole(roles, role)) ?? otherwise;
  const isSerif = /"[^"]*(serif 4|garamond|fraunces|noto serif)/i.test(resolveRole(roles, 'text-font'));
  return {
    font: isSerif ? 'Liberation Serif' : usual.font,
    ink: colorOf('ink', usual.ink),
    tint: colorOf('tint', usual.tint),
    line: colorOf('accent', usual.line),
    series: usual.series.map((color, at) => colorOf(`chart-${at + 1}`, color)),
  };
}
