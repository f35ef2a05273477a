import { type CellRange, isWithin, parseRange, writeRange } from './cell-address.ts';
import { mapReferences, type Reference, writeReference } from './formula-references.ts';
import { listFormulas } from './formula-parts.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Whether a reference spans all rows of a range and none of its columns lies outside. */
function spans({ from, to }: Reference, range: CellRange): boolean {
  if (!to || from.row !== range.from.row || to.row !== range.to.row || range.from.row === range.to.row) return false;
  const [first, last] = [from.column ?? 0, to.column ?? Infinity];
  return first >= range.from.column && last <= range.to.column;
}

/** Lets formats and checks of whole columns hold for the appended rows too. */
function extendPlaces(workbook: Workbook, sheet: Sheet, range: CellRange, rows: number): void {
  const { root } = workbook.grid(sheet);
  const checks = root.child(sheetSpace, 'dataValidations')?.elements ?? [];
  for (const element of [...root.elements.filter(({ local }) => local === 'conditionalFormatting'), ...checks]) {
    const places = element.attribute('sqref')?.split(' ') ?? [];
    const extended = places.map((place) => {
      const own = parseRange(place);
      const isMeant =
        own?.from.row === range.from.row && own.to.row === range.to.row && isWithin(own.from, range) && isWithin(own.to, range);
      return isMeant ? writeRange({ from: own.from, to: { ...own.to, row: own.to.row + rows } }) : place;
    });
    if (extended.join(' ') !== places.join(' ')) element.setAttribute('sqref', extended.join(' '));
  }
}

/**
 * Lets what reads whole columns of a table also read the rows that were appended: charts, formulas, names, formats, and checks. Returns
 * what was done, for the report.
 */
export function extendReferences(workbook: Workbook, sheet: Sheet, range: CellRange, rows: number): string {
  extendPlaces(workbook, sheet, range, rows);
  let count = 0;
  const digits = String(range.to.row);
  const name = sheet.name.toLowerCase();
  for (const { element, sheet: own } of listFormulas(workbook, (raw) => raw.includes(digits))) {
    const { text } = element;
    if (!text.includes(digits)) continue;
    const extended = mapReferences(text, (reference) => {
      const isMeant = reference.sheet === null ? own?.part === sheet.part : reference.sheet.toLowerCase() === name;
      if (!isMeant || !spans(reference, range) || !reference.to) return null;
      return writeReference({ ...reference, to: { ...reference.to, row: range.to.row + rows } });
    });
    if (extended === text) continue;
    element.text = extended;
    count++;
  }
  return count === 0 ? '' : `; ${count} formulas and charts that read the whole table read the new rows too`;
}
