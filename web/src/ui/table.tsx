import type { ReactNode } from 'react';
import { joinClasses } from './class-names.ts';

export interface Column<Row> {
  key: string;
  title: string;
  render(row: Row): ReactNode;
  /**
   * `number`: at the right, below one another. `action`: a button at the end; its title is for screen readers. `short`: never
   * broken into lines.
   */
  kind?: 'number' | 'action' | 'short';
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** The role that an element has already, and that browsers forget where it is not laid out as a table. */
const keep = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell') => ({ role });

const cellClasses = {
  text: '',
  short: 'whitespace-nowrap',
  number: 'text-right tabular-nums whitespace-nowrap',
  action: 'text-right whitespace-nowrap sm:py-1 sm:pr-0',
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

/** On phones a cell is a line with the name of the fact before it, and a button stands below them. */
function Cell<Row>({ column: { kind, title, render }, row }: { column: Column<Row>; row: Row }) {
  return (
    <td
      {...keep('cell')}
      className={joinClasses(
        'py-2.5 pr-5 last:pr-0 max-sm:has-[>div:empty]:hidden max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5 max-sm:text-left max-sm:pr-0',
        kind === 'action' && 'max-sm:pt-1.5',
        cellClasses[kind ?? 'text'],
      )}
    >
      {kind !== 'action' && (
        <span aria-hidden className="shrink-0 text-soft sm:hidden">
          {title}
        </span>
      )}
      <div className={joinClasses('min-w-0 wrap-anywhere', kind !== 'action' && 'max-sm:text-right')}>{render(row)}</div>
    </td>
  );
}

/** Rows of facts. On phones, each row becomes a small card that names its facts. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table {...keep('table')} className="w-full border-collapse text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead {...keep('rowgroup')} className="max-sm:sr-only">
        <tr {...keep('row')} className="border-b border-line text-left text-soft">
          {columns.map((column) => (
            <Heading key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      <tbody {...keep('rowgroup')} className="max-sm:block max-sm:border-t max-sm:border-line">
        {rows.map((row) => (
          <tr key={keyOf(row)} {...keep('row')} className="border-b border-line align-middle max-sm:block max-sm:py-3">
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
