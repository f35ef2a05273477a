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

const bars = {
  space: 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main',
  formulas: 'http://schemas.microsoft.com/office/excel/2006/main',
  /** What the parts are called that programs since 2010 read in a rule and in a sheet. */
  rule: '{B025F937-C7B1-47D3-B67F-A62EFF666E3E}',
  sheet: '{78C0D931-6437-407D-A8EE-F0AAD7539E65}',
};

/** Bars in cells fade to white unless a sheet says otherwise, and so hide where they end. */
function fillBars(sheet: string): string {
  const written: string[] = [];
  const fillOne = (rule: string, range: string, color: string) => {
    const id = `{00000000-0000-4000-8000-${String(written.length + 1).padStart(12, '0')}}`;
    const ends = '<x14:cfvo type="num"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="autoMax"/>';
    const colors = `<x14:fillColor rgb="${color}"/><x14:negativeFillColor rgb="FFE3A6A1"/><x14:axisColor rgb="FF8A8F98"/>`;
    const bar = `<x14:dataBar minLength="0" maxLength="100" gradient="0">${ends}${colors}</x14:dataBar>`;
    written.push(
      `<x14:conditionalFormatting xmlns:xm="${bars.formulas}"><x14:cfRule type="dataBar" id="${id}">${bar}</x14:cfRule><xm:sqref>${range}</xm:sqref></x14:conditionalFormatting>`,
    );
    return `${rule}<extLst><ext xmlns:x14="${bars.space}" uri="${bars.rule}"><x14:id>${id}</x14:id></ext></extLst>`;
  };
  // The rules of one range are in one element, bars among them at any place.
  const ofRange = /<conditionalFormatting sqref="([^"]+)">.*?<\/conditionalFormatting>/gs;
  const rule = /<cfRule type="dataBar"[^>]*><dataBar>(?:(?!<\/dataBar>).)*<color rgb="(\w+)"\/><\/dataBar>/gs;
  const marked = sheet.replaceAll(ofRange, (rules, range: string) =>
    rules.replaceAll(rule, (whole, color: string) => fillOne(whole, range, color)),
  );
  if (written.length === 0) return sheet;
  const all = `<x14:conditionalFormattings>${written.join('')}</x14:conditionalFormattings>`;
  return marked.replace(
    /<\/worksheet>\s*$/,
    `<extLst><ext xmlns:x14="${bars.space}" uri="${bars.sheet}">${all}</ext></extLst></worksheet>`,
  );
}

/**
 * Writes what the library cannot into a workbook: the theme, solid bars in cells, and pale lines in charts. Every other part stays.
 * @param line the color of lines in charts, `RRGGBB`
 */
export function finishWorkbook(file: Uint8Array, theme: WorkbookTheme | null, line: string): Uint8Array {
  const parts = unzipSync(file);
  for (const name of Object.keys(parts).filter((each) => /^xl\/worksheets\/sheet\d+\.xml$/.test(each)))
    changePart(parts, name, fillBars);
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
