import type { CellAddress } from './cell-address.ts';

/** Cells of one sheet whose values are other ones than before. */
export class ChangedCells {
  readonly #rows = new Map<number, Set<number>>();

  add({ row, column }: CellAddress): void {
    const known = this.#rows.get(row);
    if (known) known.add(column);
    else this.#rows.set(row, new Set([column]));
  }

  has({ row, column }: CellAddress): boolean {
    return this.#rows.get(row)?.has(column) === true;
  }

  /** Whether a cell lies between these rows and columns. */
  meets(top: number, bottom: number, left: number, right: number): boolean {
    const isMet = (columns: ReadonlySet<number> | undefined) => {
      for (const column of columns ?? []) if (column >= left && column <= right) return true;
      return false;
    };
    if (bottom - top < this.#rows.size) {
      for (let row = top; row <= bottom; row++) if (isMet(this.#rows.get(row))) return true;
      return false;
    }
    for (const [row, columns] of this.#rows) if (row >= top && row <= bottom && isMet(columns)) return true;
    return false;
  }
}
