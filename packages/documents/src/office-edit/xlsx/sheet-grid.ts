import { Fault } from '@errand/base/fault.ts';
import { parseElement, parseFragment } from '../markup/markup-parser.ts';
import { insertBefore, type MarkupElement, MarkupText } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { type CellAddress, type CellRange, parseAddress, parseRange, writeAddress, writeRange } from './cell-address.ts';
import { sheetSpace } from './sheet-space.ts';

/** The rows and cells of a sheet. Rows are taken apart only when they are looked into. */
export class SheetGrid {
  readonly root: MarkupElement;
  readonly data: MarkupElement;
  readonly #rows = new Map<number, MarkupElement>();
  /** Rows that have been taken apart, with their cells by column. */
  readonly #cells = new Map<number, Map<number, MarkupElement>>();
  #last = 0;

  constructor(root: MarkupElement) {
    this.root = root;
    const data = root.child(sheetSpace, 'sheetData');
    if (!data) throw new Fault('invalid_argument', 'path: the file is damaged: a sheet has no cells.');
    this.data = data;
    for (const row of data.elements) {
      if (!row.is(sheetSpace, 'row')) continue;
      this.#last = Number(row.attribute('r') ?? this.#last + 1);
      this.#rows.set(this.#last, row);
    }
  }

  /** The numbers of all rows, in order. */
  rowNumbers(): number[] {
    return [...this.#rows.keys()];
  }

  /** What a row holds as written, if it has not been taken apart; null otherwise. */
  rawRow(number: number): string | null {
    const row = this.#rows.get(number);
    const [only] = row?.children ?? [];
    return row && !this.#cells.has(number) && only instanceof MarkupText ? only.raw : null;
  }

  /** The cells of a row by column. */
  row(number: number): ReadonlyMap<number, MarkupElement> {
    return this.#open(number) ?? new Map();
  }

  #open(number: number): Map<number, MarkupElement> | null {
    const known = this.#cells.get(number);
    if (known) return known;
    const row = this.#rows.get(number);
    if (!row) return null;
    const [only] = row.children;
    if (only instanceof MarkupText && row.children.length === 1) row.replaceChildren(parseFragment(only.raw, row));
    const cells = new Map<number, MarkupElement>();
    let column = 0;
    for (const cell of row.elements) {
      if (!cell.is(sheetSpace, 'c')) continue;
      const address = cell.attribute('r');
      column = address === undefined ? column + 1 : (parseAddress(address)?.column ?? column + 1);
      cells.set(column, cell);
    }
    this.#cells.set(number, cells);
    return cells;
  }

  cell({ row, column }: CellAddress): MarkupElement | undefined {
    return this.#open(row)?.get(column);
  }

  /** The cell, which is added if there is none. */
  ensureCell(address: CellAddress): MarkupElement {
    const { row, column } = address;
    const cells = this.#open(row) ?? this.#addRow(row);
    const known = cells.get(column);
    if (known) {
      if (known.attribute('r') === undefined) known.setAttribute('r', writeAddress(address));
      return known;
    }
    const holder = this.#rows.get(row) ?? this.data;
    const cell = parseElement(`<${prefixOf(holder, sheetSpace)}c r="${writeAddress(address)}"/>`, holder);
    // Where cells have no addresses, those after this one would move.
    for (const [at, each] of cells)
      if (each.attribute('r') === undefined) each.setAttribute('r', writeAddress({ row, column: at }));
    const next = [...cells.keys()].filter((each) => each > column).reduce((least, each) => Math.min(least, each), Infinity);
    const following = cells.get(next);
    if (following) insertBefore(following, [cell]);
    else holder.append(cell);
    cells.set(column, cell);
    holder.setAttribute('spans', null);
    this.#extendDimension(address);
    return cell;
  }

  #addRow(number: number): Map<number, MarkupElement> {
    const row = parseElement(
      `<${prefixOf(this.data, sheetSpace)}row r="${number}"></${prefixOf(this.data, sheetSpace)}row>`,
      this.data,
    );
    if (number > this.#last) {
      this.data.append(row);
      this.#last = number;
      this.#rows.set(number, row);
    } else this.#insertRow(number, row);
    const cells = new Map<number, MarkupElement>();
    this.#cells.set(number, cells);
    return cells;
  }

  #insertRow(number: number, row: MarkupElement): void {
    const sorted = [...this.#rows];
    const at = sorted.findIndex(([each]) => each > number);
    const following = sorted[at]?.[1];
    if (following) {
      if (following.attribute('r') === undefined) following.setAttribute('r', String(sorted[at]?.[0]));
      insertBefore(following, [row]);
    }
    this.#rows.clear();
    for (const [each, element] of [...sorted.slice(0, at), [number, row] as const, ...sorted.slice(at)])
      this.#rows.set(each, element);
  }

  /** The last row with a cell that is not empty in these columns. */
  lastUsedRow(columns?: { from: number; to: number }): number {
    for (const number of this.rowNumbers().reverse()) {
      for (const [column, cell] of this.row(number)) {
        if (columns && (column < columns.from || column > columns.to)) continue;
        if (cell.elements.length > 0) return number;
      }
    }
    return 0;
  }

  #extendDimension({ row, column }: CellAddress): void {
    const dimension = this.root.child(sheetSpace, 'dimension');
    const known = parseRange(dimension?.attribute('ref') ?? '');
    if (!dimension || !known) return;
    const from = { row: Math.min(known.from.row, row), column: Math.min(known.from.column, column) };
    const to = { row: Math.max(known.to.row, row), column: Math.max(known.to.column, column) };
    dimension.setAttribute('ref', writeRange({ from, to }));
  }

  /** The joined cells of the sheet. */
  merges(): CellRange[] {
    const merged = this.root.child(sheetSpace, 'mergeCells')?.elements ?? [];
    return merged.flatMap((each) => parseRange(each.attribute('ref') ?? '') ?? []);
  }
}
