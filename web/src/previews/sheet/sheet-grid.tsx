import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { ScrollRegion } from '../panel/scroll-region.tsx';
import { MergedCells } from './merged-cells.tsx';
import type { SheetData } from './sheet-data.ts';
import { gutterWidth, listCovered, measureColumns, rowHeight } from './sheet-layout.ts';
import { type CellPlace, HeaderLine, SheetLine } from './sheet-line.tsx';
import { useCellChoice } from './use-cell-choice.ts';

interface SheetGridProps {
  sheet: SheetData;
  label: string;
  chosen: CellPlace | null;
  onChoose: (place: CellPlace) => void;
}

function useGrid({ rows, columnCount, frozenRows, frozenColumns, ...sheet }: SheetData) {
  const place = useRef<HTMLDivElement>(null);
  const widths = useMemo(() => measureColumns({ rows, columnCount, widths: sheet.widths }), [rows, columnCount, sheet.widths]);
  const headHeight = rowHeight * (1 + frozenRows);
  const frozenWidth = widths.slice(0, frozenColumns).reduce((total, width) => total + width, 0);
  const lines = useVirtualizer({
    count: rows.length - frozenRows,
    estimateSize: () => rowHeight,
    getScrollElement: () => place.current,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 12,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: columnCount - frozenColumns,
    estimateSize: (index) => widths[index + frozenColumns] ?? 72,
    getScrollElement: () => place.current,
    paddingStart: gutterWidth + frozenWidth,
    scrollPaddingStart: gutterWidth + frozenWidth,
    overscan: 4,
  });
  return { place, widths, headHeight, lines, columns };
}

/** One sheet with any number of rows and columns; only the visible ones are rendered. */
export function SheetGrid({ sheet, label, chosen, onChoose }: SheetGridProps) {
  const { frozenRows, frozenColumns, merges } = sheet;
  const { place, widths, headHeight, lines, columns } = useGrid(sheet);
  const covered = useMemo(() => listCovered(merges), [merges]);
  const shown = lines.getVirtualItems();
  const line = {
    sheet,
    covered,
    chosen,
    columns: columns.getVirtualItems().map((item) => ({ ...item, index: item.index + frozenColumns })),
    frozen: widths.slice(0, frozenColumns).map((size, index) => ({ index, size })),
    width: columns.getTotalSize(),
  };
  const [firstShown = 0, lastShown = 0] = [shown[0]?.index, shown.at(-1)?.index].map((index) => (index ?? 0) + frozenRows);
  const frozenMerges = merges.filter(({ row }) => row < frozenRows);
  const shownMerges = merges.filter(({ row, rowCount }) => row >= frozenRows && row <= lastShown && row + rowCount > firstShown);

  const { choose, press } = useCellChoice(sheet, chosen, onChoose, (to) => {
    if (to.row >= frozenRows) lines.scrollToIndex(to.row - frozenRows, { align: 'auto' });
    if (to.column >= frozenColumns) columns.scrollToIndex(to.column - frozenColumns, { align: 'auto' });
  });
  return (
    <ScrollRegion
      ref={place}
      label={label}
      className="min-h-0 flex-1 overflow-auto bg-card text-sm"
      onClick={choose}
      onKeyDown={press}
    >
      <div
        role="table"
        aria-label={label}
        aria-rowcount={sheet.rows.length + 1}
        aria-colcount={sheet.columnCount + 1}
        className="relative"
        style={{ width: line.width, height: lines.getTotalSize() }}
      >
        <div className="sticky top-0 z-30" style={{ height: headHeight, width: line.width }}>
          <HeaderLine {...line} />
          {Array.from({ length: frozenRows }, (_, row) => (
            <SheetLine key={row} {...line} row={row} />
          ))}
          <MergedCells {...{ sheet, widths, chosen }} merges={frozenMerges} firstRow={0} offset={rowHeight} />
        </div>
        {shown.map(({ index, start }) => (
          <SheetLine key={index} {...line} row={index + frozenRows} top={start} />
        ))}
        <MergedCells {...{ sheet, widths, chosen }} merges={shownMerges} firstRow={frozenRows} offset={headHeight} />
      </div>
    </ScrollRegion>
  );
}
