import type { VirtualItem } from '@tanstack/react-virtual';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { SheetCell } from './sheet-cell.ts';
import { nameColumn, type SheetData } from './sheet-data.ts';
import { gutterWidth, rowHeight, styleCell } from './sheet-layout.ts';

const cornerClasses = 'sticky left-0 z-20 h-full border-r border-b border-line bg-hover';
/** Frozen columns at the left, next to the row numbers. */
const frozenClasses = 'sticky z-10 flex h-full w-max shrink-0';
const cellClasses = 'truncate border-r border-b border-line bg-card px-2.5 leading-[30px]';

/** The position of a cell, also of the selected one. */
export interface CellPlace {
  row: number;
  column: number;
}

interface CellBoxProps extends CellPlace {
  sheet: SheetData;
  isChosen: boolean;
  /** Position and size of the line. */
  box: { left?: number; top?: number; width: number; height: number };
  span?: { rowCount: number; columnCount: number };
}

/** One cell. */
export function CellBox({ sheet, row, column, isChosen, box, span }: CellBoxProps) {
  const cell: SheetCell | undefined = sheet.rows[row]?.[column];
  const look = cell?.look === undefined ? undefined : sheet.looks[cell.look];
  return (
    <div
      role="cell"
      aria-colindex={column + 2}
      aria-colspan={span?.columnCount}
      aria-rowspan={span?.rowCount}
      data-cell={`${row},${column}`}
      dir="auto"
      title={(cell?.text.length ?? 0) > 24 ? cell?.text : undefined}
      className={joinClasses(
        cellClasses,
        box.left === undefined ? 'h-full shrink-0' : 'absolute',
        cell?.isNumber === true && 'tabular-nums',
        isChosen && 'outline-2 -outline-offset-2 outline-accent',
      )}
      style={{ ...box, ...styleCell(cell, look), ...(span && span.rowCount > 1 && { lineHeight: `${box.height}px` }) }}
    >
      {cell?.text}
    </div>
  );
}

export interface LineProps {
  columns: readonly VirtualItem[];
  /** The frozen columns. */
  frozen: readonly { index: number; size: number }[];
  width: number;
}

/** The column letters, which stay above the scrolled rows. */
export function HeaderLine({ columns, frozen, width }: LineProps) {
  const { previews } = useText();
  const letterClasses = 'flex h-full shrink-0 items-center justify-center border-r border-b border-line bg-hover';
  return (
    <div role="row" aria-rowindex={1} className="relative flex bg-hover text-xs text-soft" style={{ height: rowHeight, width }}>
      <div role="columnheader" aria-colindex={1} className={cornerClasses} style={{ width: gutterWidth }}>
        <span className="sr-only">{previews.rowNumber}</span>
      </div>
      {frozen.length > 0 && (
        <div className={frozenClasses} style={{ left: gutterWidth }}>
          {frozen.map(({ index, size }) => (
            <div key={index} role="columnheader" aria-colindex={index + 2} className={letterClasses} style={{ width: size }}>
              {nameColumn(index)}
            </div>
          ))}
        </div>
      )}
      {columns.map(({ index, start, size }) => (
        <div
          key={index}
          role="columnheader"
          aria-colindex={index + 2}
          className={joinClasses(letterClasses, 'absolute top-0')}
          style={{ left: start, width: size }}
        >
          {nameColumn(index)}
        </div>
      ))}
    </div>
  );
}

interface SheetLineProps extends LineProps {
  sheet: SheetData;
  row: number;
  /** Undefined for one that is not positioned. */
  top?: number;
  covered: ReadonlySet<string>;
  chosen: CellPlace | null;
}

/** One row with its number, which stays next to the scrolled columns. */
export function SheetLine({ sheet, row, top, columns, frozen, width, covered, chosen }: SheetLineProps) {
  const isChosen = (column: number) => chosen?.row === row && chosen.column === column;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={top === undefined ? 'relative flex' : 'absolute left-0 flex'}
      style={{ ...(top !== undefined && { top }), height: rowHeight, width }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={joinClasses(cornerClasses, 'flex shrink-0 items-center justify-end pr-2.5 text-xs text-soft tabular-nums')}
        style={{ width: gutterWidth }}
      >
        {row + 1}
      </div>
      {frozen.length > 0 && (
        <div className={frozenClasses} style={{ left: gutterWidth }}>
          {frozen.map(({ index, size }) =>
            covered.has(`${row},${index}`) ? (
              <div key={index} style={{ width: size }} />
            ) : (
              <CellBox
                key={index}
                {...{ sheet, row }}
                column={index}
                isChosen={isChosen(index)}
                box={{ width: size, height: rowHeight }}
              />
            ),
          )}
        </div>
      )}
      {columns.map(({ index, start, size }) =>
        covered.has(`${row},${index}`) ? null : (
          <CellBox
            key={index}
            {...{ sheet, row }}
            column={index}
            isChosen={isChosen(index)}
            box={{ left: start, top: 0, width: size, height: rowHeight }}
          />
        ),
      )}
    </div>
  );
}
