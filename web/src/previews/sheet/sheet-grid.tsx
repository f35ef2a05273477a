import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { nameColumn, type SheetCell, type SheetData } from './sheet-data.ts';
import { ScrollRegion } from '../scroll-region.tsx';

const rowHeight = 30;
const gutterWidth = 56;
const letterWidth = 7.6;
/** How many rows say how wide columns are. */
const measuredRows = 200;

/** Wide enough for most of what stands in a column. Pixels. */
function measureColumns({ rows, columnCount }: SheetData): number[] {
  const sample = rows.slice(0, measuredRows);
  return Array.from({ length: columnCount }, (_, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[column]?.text.length ?? 0), 0);
    return Math.round(Math.min(320, Math.max(72, longest * letterWidth + 24)));
  });
}

const cornerClasses = 'sticky left-0 z-10 h-full border-r border-b border-line bg-hover';

interface LineProps {
  columns: readonly VirtualItem[];
  width: number;
}

/** The letters of the columns, which stay above what scrolls. */
function HeaderLine({ columns, width }: LineProps) {
  const { previews } = useText();
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-20 bg-hover text-xs text-soft"
      style={{ height: rowHeight, width }}
    >
      <div role="columnheader" aria-colindex={1} className={cornerClasses} style={{ width: gutterWidth }}>
        <span className="sr-only">{previews.rowNumber}</span>
      </div>
      {columns.map(({ index, start, size }) => (
        <div
          key={index}
          role="columnheader"
          aria-colindex={index + 2}
          className="absolute top-0 flex h-full items-center justify-center border-r border-b border-line"
          style={{ left: start, width: size }}
        >
          {nameColumn(index)}
        </div>
      ))}
    </div>
  );
}

interface SheetLineProps extends LineProps {
  cells: readonly SheetCell[];
  index: number;
  top: number;
}

/** One row with its number, which stays beside what scrolls. */
function SheetLine({ cells, index, top, columns, width }: SheetLineProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className="absolute left-0" style={{ top, height: rowHeight, width }}>
      <div
        role="rowheader"
        aria-colindex={1}
        className={joinClasses(cornerClasses, 'flex items-center justify-end pr-2.5 text-xs text-soft tabular-nums')}
        style={{ width: gutterWidth }}
      >
        {index + 1}
      </div>
      {columns.map((column) => {
        const cell = cells[column.index];
        return (
          <div
            key={column.index}
            role="cell"
            aria-colindex={column.index + 2}
            dir="auto"
            title={(cell?.text.length ?? 0) > 24 ? cell?.text : undefined}
            className={joinClasses(
              'absolute top-0 h-full truncate border-r border-b border-line px-2.5 leading-[30px]',
              cell?.isNumber === true && 'text-right tabular-nums',
            )}
            style={{ left: column.start, width: column.size }}
          >
            {cell?.text}
          </div>
        );
      })}
    </div>
  );
}

/** One sheet: any number of rows and columns, of which those in sight are in the page. */
export function SheetGrid({ sheet, label }: { sheet: SheetData; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const widths = useMemo(() => measureColumns(sheet), [sheet]);
  const rows = useVirtualizer({
    count: sheet.rows.length,
    estimateSize: () => rowHeight,
    getScrollElement: () => place.current,
    paddingStart: rowHeight,
    scrollPaddingStart: rowHeight,
    overscan: 12,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: sheet.columnCount,
    estimateSize: (index) => widths[index] ?? 72,
    getScrollElement: () => place.current,
    paddingStart: gutterWidth,
    overscan: 4,
  });
  const shownColumns = columns.getVirtualItems();
  const width = columns.getTotalSize();
  return (
    <ScrollRegion ref={place} label={label} className="min-h-0 flex-1 overflow-auto bg-card text-sm">
      <div
        role="table"
        aria-label={label}
        aria-rowcount={sheet.rows.length + 1}
        aria-colcount={sheet.columnCount + 1}
        className="relative"
        style={{ width, height: rows.getTotalSize() }}
      >
        <HeaderLine columns={shownColumns} width={width} />
        {rows.getVirtualItems().map(({ index, start }) => (
          <SheetLine key={index} cells={sheet.rows[index] ?? []} index={index} top={start} columns={shownColumns} width={width} />
        ))}
      </div>
    </ScrollRegion>
  );
}
