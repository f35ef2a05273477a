import { unzipSync, zipSync } from 'fflate';

/** The places of an office's theme, and which role of the design kit each has. */
export const themePlaces = {
  ...{ dk1: 'ink', lt1: 'ground', dk2: 'soft', lt2: 'surface' },
  ...{ accent1: 'chart-1', accent2: 'chart-2', accent3: 'chart-3', accent4: 'chart-4', accent5: 'chart-5', accent6: 'chart-6' },
  ...{ hlink: 'accent', folHlink: 'soft' },
} as const;

/** What a spreadsheet program offers first for colors and fonts: colors as `RRGGBB` by place, names of families. */
export interface WorkbookTheme {
  colors: Readonly<Record<string, string>>;
  headFont: string;
  textFont: string;
}

const part = 'xl/theme/theme1.xml';

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The time that the library writes, so that the same workbook is the same file. */
const writtenAt = new Date(1980, 0, 1);

function changePart(parts: Record<string, Uint8Array>, name: string, change: (markup: string) => string): void {
  parts[name] = new TextEncoder().encode(change(new TextDecoder().decode(parts[name])));
}

/**
 * Writes what the library cannot into a workbook: the theme, and pale lines in charts. Every other part stays.
 * @param line the color of lines in charts, `RRGGBB`
 */
export function finishWorkbook(file: Uint8Array, theme: WorkbookTheme | null, line: string): Uint8Array {
  const parts = unzipSync(file);
  const pale = `<c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="${line}"/></a:solidFill></a:ln></c:spPr>`;
  for (const name of Object.keys(parts).filter((each) => /^xl\/charts\/chart\d+\.xml$/.test(each)))
    changePart(parts, name, (chart) => chart.replaceAll('<c:majorGridlines/>', `<c:majorGridlines>${pale}</c:majorGridlines>`));
  if (theme) changePart(parts, part, (markup) => writeTheme(markup, theme));
  return zipSync(parts, { mtime: writtenAt });
}

function writeTheme(markup: string, { colors, headFont, textFont }: WorkbookTheme): string {
  const shown = Object.entries(colors).map(([place, color]) => `<a:${place}><a:srgbClr val="${color}"/></a:${place}>`);
  const font = (name: string, family: string) =>
    `<a:${name}><a:latin typeface="${escapeAttribute(family)}"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`;
  const scheme = `<a:clrScheme name="Brand">${shown.join('')}</a:clrScheme>`;
  const fonts = `<a:fontScheme name="Brand">${font('majorFont', headFont)}${font('minorFont', textFont)}</a:fontScheme>`;
  return markup
    .replace(/<a:clrScheme .*<\/a:clrScheme>/s, () => scheme)
    .replace(/<a:fontScheme .*<\/a:fontScheme>/s, () => fonts);
}
