import type { ReactNode } from 'react';
import { joinClasses } from './class-names.ts';

export interface Column<Row> {
  key: string;
  title: string;
  render(row: Row): ReactNode;
  /**
   * `number`: right-aligned. `action`: a button at the end, whose title is for screen readers. `short`: never wrapped.
   */
  kind?: 'number' | 'action' | 'short';
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** An element's implicit role, which browsers drop if it is not laid out as a table. */
const keep = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell') => ({ role });

const cellClasses = {
  text: '',
  short: '@2xl:whitespace-nowrap',
  number: 'tabular-nums @2xl:text-right @2xl:whitespace-nowrap',
  action: 'text-right whitespace-nowrap @2xl:py-1 @2xl:pr-0 @max-2xl:ml-auto',
};

function Heading<Row>({ column: { kind, title } }: { column: Column<Row> }) {
  return (
    <th
      {...keep('columnheader')}
      scope="col"
      className={joinClasses('py-2 pr-5 font-medium whitespace-nowrap last:pr-0', kind === 'number' && 'text-right')}
    >
      {kind === 'action' ? <span className="sr-only">{title}</span> : title}
    </th>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  /** The subject of the row; of a card, the heading. */
  isFirst: boolean;
}

/** A cell of a table. In cards, the cells of a row are stacked, each after its label. */
function Cell<Row>({ column: { kind, title, render }, row, isFirst }: CellProps<Row>) {
  const hasName = !isFirst && kind !== 'action';
  return (
    <td
      {...keep('cell')}
      className={joinClasses(
        'py-2.5 pr-5 last:pr-0 @max-2xl:flex @max-2xl:items-center @max-2xl:gap-1.5 @max-2xl:p-0 @max-2xl:has-[>div:empty]:hidden',
        isFirst && '@max-2xl:basis-full @max-2xl:font-medium',
        cellClasses[kind ?? 'text'],
      )}
    >
      {hasName && (
        <span aria-hidden className="shrink-0 text-soft @2xl:hidden">
          {title}
        </span>
      )}
      <div className="min-w-0 wrap-anywhere">{render(row)}</div>
    </td>
  );
}

/** A data table. Where there is little room, as on phones, each row becomes a small card with labeled values. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="@container">
      <table {...keep('table')} className="w-full border-collapse text-sm @max-2xl:block">
        <caption className="sr-only">{caption}</caption>
        <thead {...keep('rowgroup')} className="@max-2xl:sr-only">
          <tr {...keep('row')} className="border-b border-line text-left text-soft">
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody {...keep('rowgroup')} className="@max-2xl:block @max-2xl:border-t @max-2xl:border-line">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              {...keep('row')}
              className="border-b border-line align-middle @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:gap-x-4 @max-2xl:gap-y-1 @max-2xl:py-3"
            >
              {columns.map((column, index) => (
                <Cell key={column.key} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
