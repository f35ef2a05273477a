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

/** Writes a theme into a workbook, in the place of the library's; every other part stays. */
export function setWorkbookTheme(file: Uint8Array, { colors, headFont, textFont }: WorkbookTheme): Uint8Array {
  const parts = unzipSync(file);
  const markup = new TextDecoder().decode(parts[part]);
  const shown = Object.entries(colors).map(([place, color]) => `<a:${place}><a:srgbClr val="${color}"/></a:${place}>`);
  const font = (name: string, family: string) =>
    `<a:${name}><a:latin typeface="${escapeAttribute(family)}"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`;
  const scheme = `<a:clrScheme name="Brand">${shown.join('')}</a:clrScheme>`;
  const fonts = `<a:fontScheme name="Brand">${font('majorFont', headFont)}${font('minorFont', textFont)}</a:fontScheme>`;
  const themed = markup
    .replace(/<a:clrScheme .*<\/a:clrScheme>/s, () => scheme)
    .replace(/<a:fontScheme .*<\/a:fontScheme>/s, () => fonts);
  // The time that the library writes, so that the same workbook is the same file.
  return zipSync({ ...parts, [part]: new TextEncoder().encode(themed) }, { mtime: new Date(1980, 0, 1) });
}
