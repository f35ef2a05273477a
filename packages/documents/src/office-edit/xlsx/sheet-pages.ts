import { invalidField } from '@errand/base/fault.ts';
import { encodePageLine } from '../../spreadsheets/page-lines.ts';
import { pageLine } from '../../spreadsheets/workbook-spec.ts';
import { escapeMarkup } from '../../clean-text.ts';
import { insertAfter, type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { sheetElement } from './cell-styles.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** What may stand before the headers and footers of a sheet, in its order (ECMA-376 part 1, 18.3.1.99). */
const before =
  `sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter
  sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions
  pageMargins pageSetup`.split(/\s+/);

/** The lines of a sheet in their order; those of even and first pages count only where the sheet has them. */
const lines = ['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter'];

function findLines(root: MarkupElement): MarkupElement {
  const known = root.child(sheetSpace, 'headerFooter');
  if (known) return known;
  const made = sheetElement((p) => `<${p}headerFooter></${p}headerFooter>`, root);
  const last = root.elements.findLast(({ local }) => before.includes(local));
  if (last) insertAfter(last, [made]);
  else root.append(made);
  return made;
}

function writeLine(list: MarkupElement, name: string, code: string): void {
  const known = list.child(sheetSpace, name);
  if (known) removeNode(known);
  if (code === '') return;
  const made = sheetElement((p) => `<${p}${name}>${escapeMarkup(code)}</${p}${name}>`, list);
  const earlier = lines.slice(0, lines.indexOf(name));
  const last = list.elements.findLast(({ local }) => earlier.includes(local));
  if (last) insertAfter(last, [made]);
  else list.insertAt(0, [made]);
}

function setOn(workbook: Workbook, sheet: Sheet, part: 'Header' | 'Footer', code: string): void {
  const list = findLines(workbook.grid(sheet).root);
  const others = ['even', 'first'].map((kind) => `${kind}${part}`).filter((name) => list.child(sheetSpace, name));
  for (const name of [`odd${part}`, ...others]) writeLine(list, name, code);
}

/**
 * Sets the header or footer of the printed pages of one sheet, or of all.
 * @param text "left | middle | right" with {page}, {pages}, {sheet}, {date}; empty for none
 */
export function setPageLine(workbook: Workbook, kind: 'header' | 'footer', text: string, name: string | undefined): string {
  const read = pageLine.safeParse(text);
  if (!read.success) throw invalidField('text', read.error.issues[0]?.message ?? 'is no header.');
  const sheets = name === undefined ? workbook.sheets() : [workbook.sheet(name)];
  for (const sheet of sheets) setOn(workbook, sheet, kind === 'header' ? 'Header' : 'Footer', encodePageLine(text));
  const where = sheets.map((sheet) => JSON.stringify(sheet.name)).join(', ');
  return `${text === '' ? 'removed' : 'set'} the ${kind} of ${where}`;
}
