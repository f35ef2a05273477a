import { invalidField } from '@errand/base/fault.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { type CellAddress, isOnSheet, readAddress, writeRange } from './cell-address.ts';
import { dateStyle, inheritedStyle } from './cell-styles.ts';
import { type GivenValue, putContent, readContent } from './cell-values.ts';
import { checkFree, listBlocks, releaseFormula } from './shared-formulas.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Sets cells of one sheet. */
export class CellWriter {
  readonly #workbook: Workbook;
  readonly #sheet: Sheet;
  readonly #merges;
  readonly #blocks;

  constructor(workbook: Workbook, sheet: Sheet) {
    this.#workbook = workbook;
    this.#sheet = sheet;
    const grid = workbook.grid(sheet);
    this.#merges = grid.merges();
    this.#blocks = listBlocks(grid);
  }

  /** Sets one cell. `style` is that of a cell that does not exist yet. */
  set(address: CellAddress, given: GivenValue, field: string, style?: string): void {
    if (!isOnSheet(address)) throw invalidField(field, 'lies outside of the sheet.');
    checkFree(address, this.#merges, this.#blocks, field);
    const workbook = this.#workbook;
    const grid = workbook.grid(this.#sheet);
    const content = readContent(given, field, workbook.countsFrom1904);
    const former = grid.cell(address);
    if (content.kind === 'empty' && !former) return;
    if (former?.child(sheetSpace, 'f') || content.kind === 'formula') workbook.hasNewFormulas = true;
    releaseFormula(grid, address);
    const cell = grid.ensureCell(address);
    if (!former) this.#adoptStyle(cell, address, style);
    if (content.kind === 'date') {
      const dated = dateStyle(workbook, cell.attribute('s'), content.hasTime);
      if (dated !== undefined) cell.setAttribute('s', dated);
    }
    putContent(cell, content);
    workbook.noteChange(this.#sheet, address, content.kind === 'formula');
  }

  #adoptStyle(cell: MarkupElement, { column }: CellAddress, style: string | undefined): void {
    const grid = this.#workbook.grid(this.#sheet);
    const own = style ?? inheritedStyle(grid.root, cell.parent, column);
    if (own !== undefined && own !== '0') cell.setAttribute('s', own);
  }
}

export interface SetOptions {
  sheet?: string | undefined;
  cells?: Readonly<Record<string, GivenValue>> | undefined;
  at?: string | undefined;
  rows?: readonly (readonly GivenValue[])[] | undefined;
}

/** Sets single cells, or a range from its first cell. */
export function setCells(workbook: Workbook, { sheet: name, cells, at, rows }: SetOptions): string {
  const sheet = workbook.sheet(name);
  if ((cells === undefined) === (rows === undefined))
    throw invalidField('cells', 'give either cells, such as {"B2": 5}, or at and rows.');
  const writer = new CellWriter(workbook, sheet);
  if (cells !== undefined) {
    const entries = Object.entries(cells);
    for (const [key, value] of entries) writer.set(readAddress(key, 'cells'), value, `cells.${key}`);
    return `set ${entries.length === 1 ? 'one cell' : `${entries.length} cells`} of ${JSON.stringify(sheet.name)}`;
  }
  if (at === undefined) throw invalidField('at', 'is missing: the cell where rows begin, such as "B2".');
  const start = readAddress(at, 'at');
  let width = 1;
  for (const [y, row] of (rows ?? []).entries()) {
    width = Math.max(width, row.length);
    for (const [x, value] of row.entries()) writer.set({ row: start.row + y, column: start.column + x }, value, `rows.${y}.${x}`);
  }
  const to = { row: start.row + Math.max(0, (rows ?? []).length - 1), column: start.column + width - 1 };
  return `set ${writeRange({ from: start, to })} of ${JSON.stringify(sheet.name)}`;
}
