import type { CSSProperties } from 'react';
import type { SheetCell } from './sheet-cell.ts';
import type { SheetData, SheetMerge } from './sheet-data.ts';
import type { SheetLook } from './sheet-look.ts';

export const rowHeight = 30;
export const gutterWidth = 56;
const letterWidth = 8.2;
const padding = 24;
/** Number of rows that determine the column widths. */
const measuredRows = 200;
const widestText = 320;
/** Only hostile files merge more; further cells are drawn below their merged cell. */
const mostCovered = 300_000;

/** The column widths: as in the file, but never too narrow for numbers. Pixels. */
export function measureColumns({ rows, columnCount, widths }: Pick<SheetData, 'rows' | 'columnCount' | 'widths'>): number[] {
  const sample = rows.slice(0, measuredRows);
  return Array.from({ length: columnCount }, (_, column) => {
    const declared = widths[column] ?? null;
    if (declared === 0) return 0;
    const longest = (isMeasured: (cell: SheetCell) => boolean) =>
      sample.reduce((most, row) => {
        const cell = row[column];
        return cell && isMeasured(cell) ? Math.max(most, cell.text.length) : most;
      }, 0) *
        letterWidth +
      padding;
    if (declared !== null)
      return Math.round(
        Math.max(
          declared,
          Math.min(
            240,
            longest(({ isNumber }) => isNumber),
          ),
        ),
      );
    return Math.round(
      Math.min(
        widestText,
        Math.max(
          72,
          longest(() => true),
        ),
      ),
    );
  });
}

/** Cells covered by a merged cell, by `row,column`, including its first one, which is drawn separately. */
export function listCovered(merges: readonly SheetMerge[]): ReadonlySet<string> {
  const covered = new Set<string>();
  for (const { row, column, rowCount, columnCount } of merges) {
    for (let down = 0; down < rowCount && covered.size < mostCovered; down++) {
      for (let right = 0; right < columnCount; right++) covered.add(`${row + down},${column + right}`);
    }
  }
  return covered;
}

/** The CSS properties of a cell. */
export function styleCell(cell: SheetCell | undefined, look: SheetLook | undefined): CSSProperties {
  const align = look?.align ?? (cell?.isNumber === true ? 'right' : null);
  return {
    ...(align !== null && { textAlign: align }),
    ...(look?.isBold === true && { fontWeight: 600 }),
    ...(look?.isItalic === true && { fontStyle: 'italic' }),
    ...(look?.color && { color: look.color }),
    ...(look?.fill && { backgroundColor: look.fill }),
  };
}
