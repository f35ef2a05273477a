import { parseElement } from '../markup/markup-parser.ts';
import { cloneNode, type MarkupElement, writeMarkup } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Workbook } from './workbook.ts';

const dateFormat = 14;
const timeFormat = 22;
/** Formats that need no definition and show dates or times. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

function findStyles(workbook: Workbook): MarkupElement | null {
  const part = workbook.parts.relations(workbook.main).find(({ type }) => type === 'styles')?.target;
  return part !== undefined && workbook.parts.has(part) ? workbook.parts.root(part) : null;
}

function showsDates(styles: MarkupElement, format: number): boolean {
  if (isBuiltInDate(format)) return true;
  const own = styles.child(sheetSpace, 'numFmts')?.elements.find((each) => Number(each.attribute('numFmtId')) === format);
  const code = own?.attribute('formatCode')?.replaceAll(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '') ?? '';
  return /[ymdhs]/i.test(code);
}

/** The number of a style that is like this one and shows dates; the same if it does already. */
export function dateStyle(workbook: Workbook, style: string | undefined, hasTime: boolean): string | undefined {
  const styles = findStyles(workbook);
  const list = styles?.child(sheetSpace, 'cellXfs');
  const former = list?.elements[Number(style ?? 0)];
  if (!styles || !list || !former) return style;
  if (showsDates(styles, Number(former.attribute('numFmtId') ?? 0))) return style;
  const wanted = String(hasTime ? timeFormat : dateFormat);
  const copy = cloneNode(former);
  copy.setAttribute('numFmtId', wanted);
  copy.setAttribute('applyNumberFormat', '1');
  const made = writeMarkup([copy]);
  const known = list.elements.findIndex((each) => writeMarkup([each]) === made);
  if (known >= 0) return String(known);
  list.append(copy);
  list.setAttribute('count', String(list.elements.length));
  return String(list.elements.length - 1);
}

/** The style that a new cell takes over: that of its row, or of its column. */
export function inheritedStyle(sheet: MarkupElement, row: MarkupElement | null, column: number): string | undefined {
  if (row && (row.attribute('customFormat') === '1' || row.attribute('customFormat') === 'true')) return row.attribute('s');
  const columns = sheet.child(sheetSpace, 'cols')?.elements ?? [];
  return columns
    .find((each) => Number(each.attribute('min')) <= column && Number(each.attribute('max')) >= column)
    ?.attribute('style');
}

/** An element of the workbook's own namespace, to be put into another. */
export function sheetElement(markup: (prefix: string) => string, within: MarkupElement): MarkupElement {
  return parseElement(markup(prefixOf(within, sheetSpace)), within);
}
