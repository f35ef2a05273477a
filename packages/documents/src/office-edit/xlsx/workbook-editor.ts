import { invalidField } from '@errand/base/fault.ts';
import type { EditShapes } from '../edit-fields.ts';
import type { OfficeEdit } from '../edit-spec.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { setCells } from './cell-changes.ts';
import { fillCells } from './cell-filling.ts';
import type { GivenValue } from './cell-values.ts';
import { refreshResults } from './formula-results.ts';
import { appendRows } from './row-appending.ts';
import { addSheet, renameSheet } from './sheet-changes.ts';
import { copySheet } from './sheet-copying.ts';
import { moveSheet } from './sheet-order.ts';
import { setPageLine } from './sheet-pages.ts';
import { Workbook } from './workbook.ts';

/** The edits of workbooks. */
export const workbookEdits: EditShapes = {
  set: { needs: [], takes: ['sheet', 'cells', 'at', 'rows'] },
  append: { needs: ['rows'], takes: ['sheet', 'table'] },
  fill: { needs: ['values'], takes: ['missing', 'sheet'] },
  add_sheet: { needs: ['name'], takes: ['rows'] },
  copy_sheet: { needs: ['sheet', 'name'], takes: ['position'] },
  move_sheet: { needs: ['sheet', 'position'] },
  rename_sheet: { needs: ['sheet', 'name'] },
  header: { needs: ['text'], takes: ['sheet'] },
  footer: { needs: ['text'], takes: ['sheet'] },
};

function listValues(rows: OfficeEdit['rows']): GivenValue[][] | undefined {
  return rows?.map((row, y) => {
    if (Array.isArray(row)) return row;
    throw invalidField(`rows.${y}`, 'must be a list of values; only append takes values by column.');
  });
}

function makeEdit(workbook: Workbook, edit: OfficeEdit): string {
  const { sheet, cells, at, rows, table, values = {}, missing = 'error', name = '' } = edit;
  switch (edit.do) {
    case 'set':
      return setCells(workbook, { sheet, cells, at, rows: listValues(rows) });
    case 'append':
      return appendRows(workbook, { sheet, table, rows: rows ?? [] });
    case 'fill':
      return fillCells(workbook, values, { sheet, missing });
    case 'add_sheet':
      return addSheet(workbook, name, rows ?? []);
    case 'copy_sheet':
      return copySheet(workbook, sheet ?? '', name, edit.position);
    case 'move_sheet':
      return moveSheet(workbook, sheet ?? '', edit.position ?? 0);
    case 'rename_sheet':
      return renameSheet(workbook, sheet ?? '', name);
    case 'header':
    case 'footer':
      return setPageLine(workbook, edit.do, edit.text ?? '', sheet);
    default:
      throw invalidField('do', 'is no edit of workbooks.');
  }
}

/** An editor of the workbook in a package. */
export function openWorkbook(parts: OfficePackage) {
  const { part, type } = parts.main();
  if (!type.includes('spreadsheetml') && !type.includes('ms-excel'))
    throw invalidField('path', 'is no workbook, whatever its name says.');
  if (!part.endsWith('.xml')) throw invalidField('path', 'is a binary workbook. Ask for an .xlsx file, or convert it first.');
  const workbook = new Workbook(parts, part);
  return {
    edit: (each: OfficeEdit) => makeEdit(workbook, each),
    /** Brings results up to date; notes for the report. */
    finish(): string[] {
      if (workbook.changed.size === 0 && !workbook.hasNewFormulas) return [];
      const { computed, left } = refreshResults(workbook);
      workbook.requestCalculation();
      const rest = left === 0 ? '' : `; ${left} more get theirs from the program that opens the file`;
      return computed + left === 0 ? [] : [`${computed} formulas have new results${rest}.`];
    },
  };
}
