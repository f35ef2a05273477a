import { type MarkupElement } from '../markup/markup-tree.ts';
import type { Sheet, Workbook } from './workbook.ts';

const formulaElements = new Set([
  'f',
  'formula',
  'formula1',
  'formula2',
  'definedName',
  'calculatedColumnFormula',
  'totalsRowFormula',
]);
const formulaParts = /^xl\/(worksheets|charts|chartsheets|dialogsheets|macrosheets|tables|drawings)\/[^/]+\.xml$/;

/** A formula in the workbook, and the sheet whose cells it means where it names none. */
export interface FormulaPlace {
  element: MarkupElement;
  sheet: Sheet | null;
}

/** Formulas of cells, formats, checks, charts, tables, and names whose text `mayMatter`. */
export function* listFormulas(workbook: Workbook, mayMatter: (raw: string) => boolean): Generator<FormulaPlace> {
  const sheets = new Map(workbook.sheets().map((sheet) => [sheet.part, sheet]));
  const tableSheets = new Map(
    [...sheets.values()].flatMap((sheet) =>
      workbook.parts.relations(sheet.part).flatMap(({ type, target }) => (type === 'table' ? [[target, sheet] as const] : [])),
    ),
  );
  const isFormula = ({ local }: MarkupElement) => formulaElements.has(local);
  for (const sheet of sheets.values()) {
    const grid = workbook.grid(sheet);
    for (const row of grid.rowNumbers()) {
      const raw = grid.rawRow(row);
      if (raw === null || mayMatter(raw)) grid.row(row);
    }
  }
  const others = workbook.parts.list().filter((part) => formulaParts.test(part) || part === workbook.main);
  for (const part of new Set([...sheets.keys(), ...others])) {
    const sheet = sheets.get(part) ?? tableSheets.get(part) ?? null;
    for (const element of workbook.parts.root(part).descendants(isFormula)) yield { element, sheet };
  }
}
