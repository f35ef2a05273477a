import { joinClasses } from '../../ui/display/class-names.ts';
import type { SheetData, SheetMerge } from './sheet-data.ts';
import { gutterWidth, rowHeight } from './sheet-layout.ts';
import { CellBox, type CellPlace } from './sheet-line.tsx';

interface MergedCellsProps {
  sheet: SheetData;
  merges: readonly SheetMerge[];
  widths: readonly number[];
  /** The first row of the drawn area, and the offset below it. */
  firstRow: number;
  offset: number;
  chosen: CellPlace | null;
}

const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

/** Merged cells, drawn over all their positions. */
export function MergedCells({ sheet, merges, widths, firstRow, offset, chosen }: MergedCellsProps) {
  return merges.map((merge) => {
    const { row, column, rowCount, columnCount } = merge;
    const box = {
      left: gutterWidth + sum(widths.slice(0, column)),
      top: 0,
      width: sum(widths.slice(column, column + columnCount)),
      height: rowHeight * rowCount,
    };
    return (
      <div
        key={`${row},${column}`}
        role="row"
        aria-rowindex={row + 2}
        // Above frozen columns, below row numbers.
        className={joinClasses('absolute left-0', column < sheet.frozenColumns && 'z-[11]')}
        style={{ top: offset + (row - firstRow) * rowHeight }}
      >
        <CellBox
          {...{ sheet, row, column, box }}
          span={{ rowCount, columnCount }}
          isChosen={chosen?.row === row && chosen.column === column}
        />
      </div>
    );
  });
}
