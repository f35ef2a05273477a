import { FormulaEngine, type CellSource } from '../../spreadsheets/formula-evaluation.ts';
import { FormulaError } from '../../spreadsheets/formula-values.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import type { CellAddress } from './cell-address.ts';
import type { ChangedCells } from './changed-cells.ts';
import { putResult } from './cell-values.ts';
import { listReferences, type Reference, translateFormula } from './formula-references.ts';
import { unmarkFunctions } from '../../spreadsheets/function-prefixes.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Beyond this, all results are dropped, and the next program computes them. */
const mostFormulas = 100_000;
const mostPasses = 60;

interface FormulaCell {
  sheet: Sheet;
  address: CellAddress;
  cell: MarkupElement;
  text: string;
  references: readonly Reference[];
  isPlain: boolean;
  /** Whether it stood in the file, or reads what only programs know. */
  isForeign: boolean;
}

function listFormulaCells(workbook: Workbook): FormulaCell[] {
  const found: FormulaCell[] = [];
  for (const sheet of workbook.sheets()) {
    const grid = workbook.grid(sheet);
    const shared = new Map<string, { text: string; address: CellAddress }>();
    for (const row of grid.rowNumbers()) {
      const raw = grid.rawRow(row);
      if (raw !== null && !/<(?:\w+:)?f[\s>/]/.test(raw)) continue;
      for (const [column, cell] of grid.row(row)) {
        const formula = cell.child(sheetSpace, 'f');
        if (!formula) continue;
        const address = { row, column };
        const index = formula.attribute('t') === 'shared' ? formula.attribute('si') : undefined;
        if (index !== undefined && formula.text !== '') shared.set(index, { text: formula.text, address });
        const source = index === undefined ? undefined : shared.get(index);
        const text = source ? translateFormula(source.text, source.address, address) : formula.text;
        const read = listReferences(text);
        const isForeign = !read.isPlain || workbook.written.get(sheet.part)?.has(address) !== true;
        found.push({ sheet, address, cell, text, isForeign, ...read });
      }
    }
  }
  return found;
}

/** Whether a reference reads one of the cells. */
function reads({ from, to }: Reference, cells: ChangedCells): boolean {
  const last = to ?? from;
  const [top, bottom] = [Math.min(from.row ?? 1, last.row ?? 1), Math.max(from.row ?? Infinity, last.row ?? Infinity)];
  const [left, right] = [
    Math.min(from.column ?? 1, last.column ?? 1),
    Math.max(from.column ?? Infinity, last.column ?? Infinity),
  ];
  return cells.meets(top, bottom, left, right);
}

/** Some programs write formulas without a result, or with an empty one, which only a text can be. */
function hasResult(cell: MarkupElement): boolean {
  const result = cell.child(sheetSpace, 'v');
  return result !== undefined && (result.text !== '' || cell.attribute('t') === 'str');
}

/** The formulas that read changed cells, or others that do. */
function findStale(workbook: Workbook, formulas: readonly FormulaCell[]): Set<FormulaCell> {
  const { changed } = workbook;
  const partOf = new Map(workbook.sheets().map(({ name, part }) => [name.toLowerCase(), part]));
  const stale = new Set<FormulaCell>();
  const isStale = ({ sheet, address, cell, references, isPlain }: FormulaCell) => {
    if (!isPlain || !hasResult(cell) || changed.get(sheet.part)?.has(address)) return true;
    return references.some((reference) => {
      const cells = changed.get(reference.sheet === null ? sheet.part : (partOf.get(reference.sheet.toLowerCase()) ?? ''));
      return cells !== undefined && reads(reference, cells);
    });
  };
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = stale.size;
    for (const formula of formulas) {
      if (stale.has(formula) || !isStale(formula)) continue;
      stale.add(formula);
      workbook.noteChange(formula.sheet, formula.address);
    }
    if (stale.size === before) return stale;
  }
  return new Set(formulas);
}

function readValue(workbook: Workbook, cell: MarkupElement): CellSource | undefined {
  const type = cell.attribute('t') ?? 'n';
  const text = workbook.textOf(cell);
  if (type === 'b') return { value: text === '1' };
  if (type === 'e') return { value: new FormulaError(text) };
  if (type !== 'n') return { value: text };
  return text === '' ? undefined : { value: Number(text) };
}

function sourceOf({ text, isForeign }: FormulaCell) {
  return { formula: `=${unmarkFunctions(text)}`, isForeign };
}

function createEngine(workbook: Workbook, stale: ReadonlyMap<MarkupElement, FormulaCell>): FormulaEngine {
  const sheets = new Map(workbook.sheets().map((sheet) => [sheet.name.toLowerCase(), sheet]));
  return new FormulaEngine({
    hasSheet: (name) => sheets.has(name.toLowerCase()),
    read(name, row, column) {
      const sheet = sheets.get(name.toLowerCase());
      const cell = sheet && workbook.grid(sheet).cell({ row: row + 1, column: column + 1 });
      if (!cell) return undefined;
      const formula = stale.get(cell);
      return formula ? sourceOf(formula) : readValue(workbook, cell);
    },
  });
}

/**
 * Computes the results that changed cells have an effect on, so that readers that do not compute show no old numbers. A result that only
 * a spreadsheet program can compute is removed. Returns how many were.
 */
export function refreshResults(workbook: Workbook): { computed: number; left: number } {
  const formulas = listFormulaCells(workbook);
  const stale = formulas.length > mostFormulas ? new Set(formulas) : findStale(workbook, formulas);
  const engine = createEngine(workbook, new Map([...stale].map((formula) => [formula.cell, formula])));
  const count = { computed: 0, left: 0 };
  for (const formula of stale) {
    const { sheet, address, cell, isPlain } = formula;
    const type = cell.child(sheetSpace, 'f')?.attribute('t');
    const isOwn = isPlain && type !== 'array' && type !== 'dataTable' && formulas.length <= mostFormulas;
    const value = isOwn ? engine.compute(sheet.name, address.row - 1, address.column - 1, sourceOf(formula)) : undefined;
    putResult(cell, value instanceof FormulaError ? value.code : (value ?? null));
    if (value === undefined) count.left++;
    else count.computed++;
  }
  return count;
}
