import { invalidField } from '@errand/base/fault.ts';
import { escapeMarkup } from '../../clean-text.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { type MarkupElement, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { type CellAddress, type CellRange, isWithin, parseRange, writeRange } from './cell-address.ts';
import { translateFormula } from './formula-references.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { sheetSpace } from './sheet-space.ts';

/** Each cell of a group with its formula element. */
function listGroup(grid: SheetGrid, index: string): { address: CellAddress; formula: MarkupElement }[] {
  return grid.rowNumbers().flatMap((row) => {
    const raw = grid.rawRow(row);
    if (raw !== null && !raw.includes('shared')) return [];
    return [...grid.row(row)].flatMap(([column, cell]) => {
      const formula = cell.child(sheetSpace, 'f');
      return formula?.attribute('t') === 'shared' && formula.attribute('si') === index
        ? [{ address: { row, column }, formula }]
        : [];
    });
  });
}

/** Gives each cell of a group a formula of its own if the one that holds the formula of all of them is overwritten. */
export function releaseFormula(grid: SheetGrid, address: CellAddress): void {
  const formula = grid.cell(address)?.child(sheetSpace, 'f');
  const index = formula?.attribute('si');
  if (formula?.attribute('t') !== 'shared' || index === undefined || formula.text === '') return;
  const { text } = formula;
  for (const each of listGroup(grid, index)) {
    if (each.formula === formula) continue;
    const f = `${prefixOf(each.formula, sheetSpace)}f`;
    const own = parseElement(`<${f}>${escapeMarkup(translateFormula(text, address, each.address))}</${f}>`, each.formula);
    replaceNode(each.formula, [own]);
  }
}

const blocks = /t\s*=\s*["'](array|dataTable)["']/;

/** The ranges whose cells belong to one formula. */
export function listBlocks(grid: SheetGrid): CellRange[] {
  return grid.rowNumbers().flatMap((row) => {
    const raw = grid.rawRow(row);
    if (raw !== null && !blocks.test(raw)) return [];
    return [...grid.row(row).values()].flatMap((cell) => {
      const formula = cell.child(sheetSpace, 'f');
      const type = formula?.attribute('t');
      return type === 'array' || type === 'dataTable' ? (parseRange(formula?.attribute('ref') ?? '') ?? []) : [];
    });
  });
}

/** Throws a Fault for a cell that cannot have a value of its own. */
export function checkFree(
  address: CellAddress,
  merges: readonly CellRange[],
  formulas: readonly CellRange[],
  field: string,
): void {
  const merge = merges.find((range) => isWithin(address, range));
  if (merge && (merge.from.row !== address.row || merge.from.column !== address.column)) {
    throw invalidField(field, `lies in the joined cells ${writeRange(merge)}, which show only the first of them.`);
  }
  const block = formulas.find((range) => isWithin(address, range));
  if (block && writeRange(block).includes(':')) {
    throw invalidField(field, `lies in ${writeRange(block)}, which one formula fills. Set other cells, or those it reads.`);
  }
}
