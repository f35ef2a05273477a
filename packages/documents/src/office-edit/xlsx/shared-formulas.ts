import { invalidField } from '@errand/base/fault.ts';
import { escapeMarkup } from '../../clean-text.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { type MarkupElement, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { type CellAddress, type CellRange, isWithin, parseRange, writeRange } from './cell-address.ts';
import { translateFormula } from './formula-references.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { sheetSpace } from './sheet-space.ts';

interface SharedFormula {
  text: string;
  address: CellAddress;
}

/** The formulas that several cells of a sheet share, by their index. */
function listShared(grid: SheetGrid): { formula: MarkupElement; address: CellAddress; index: string; source: SharedFormula }[] {
  const sources = new Map<string, SharedFormula>();
  return grid.rowNumbers().flatMap((row) => {
    const raw = grid.rawRow(row);
    if (raw !== null && !raw.includes('shared')) return [];
    return [...grid.row(row)].flatMap(([column, cell]) => {
      const formula = cell.child(sheetSpace, 'f');
      const index = formula?.attribute('t') === 'shared' ? formula.attribute('si') : undefined;
      if (!formula || index === undefined) return [];
      const address = { row, column };
      if (formula.text !== '') sources.set(index, { text: formula.text, address });
      const source = sources.get(index);
      return source ? [{ formula, address, index, source }] : [];
    });
  });
}

/** Gives each cell of a group a formula of its own if that of one of them `isChanged`. */
export function separateFormulas(grid: SheetGrid, isChanged: (text: string, address: CellAddress) => boolean): void {
  const shared = listShared(grid);
  const textOf = ({ source, address }: (typeof shared)[number]) => translateFormula(source.text, source.address, address);
  const changed = new Set<string>();
  for (const each of shared) if (!changed.has(each.index) && isChanged(textOf(each), each.address)) changed.add(each.index);
  for (const each of shared) {
    if (!changed.has(each.index)) continue;
    const f = `${prefixOf(each.formula, sheetSpace)}f`;
    replaceNode(each.formula, [parseElement(`<${f}>${escapeMarkup(textOf(each))}</${f}>`, each.formula)]);
  }
}

/** Gives each cell of a group a formula of its own if the one that holds the formula of all of them is overwritten. */
export function releaseFormula(grid: SheetGrid, address: CellAddress): void {
  const formula = grid.cell(address)?.child(sheetSpace, 'f');
  if (formula?.attribute('t') !== 'shared' || formula.text === '') return;
  separateFormulas(grid, (_, each) => each.row === address.row && each.column === address.column);
}

/** The formulas of a row by column, as they read there. */
export function formulasOf(grid: SheetGrid, row: number): ReadonlyMap<number, string> {
  const formulas = [...grid.row(row)].flatMap(([column, cell]) => {
    const formula = cell.child(sheetSpace, 'f');
    return formula ? [{ column, formula }] : [];
  });
  // The whole sheet is looked through for them, so once for all cells.
  const shared = formulas.some(({ formula }) => formula.text === '') ? listShared(grid) : [];
  const sources = new Map(shared.map(({ formula, source }) => [formula, source]));
  return new Map(
    formulas.flatMap(({ column, formula }) => {
      if (formula.text !== '') return [[column, formula.text] as const];
      const source = sources.get(formula);
      return source ? [[column, translateFormula(source.text, source.address, { row, column })] as const] : [];
    }),
  );
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
