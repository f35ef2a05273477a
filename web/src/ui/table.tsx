import type { ReactNode } from 'react';
import { joinClasses } from './class-names.ts';

export interface Column<Row> {
  key: string;
  title: string;
  render(row: Row): ReactNode;
  /** Numbers stand at the right, below one another. */
  isNumber?: boolean;
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** Rows of facts. On phones, each row becomes a small card that names its facts. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="w-full border-collapse text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-left text-soft">
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={joinClasses('py-2 pr-4 font-medium last:pr-0', column.isNumber === true && 'text-right')}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line max-sm:block max-sm:py-3">
            {columns.map((column) => (
              <td
                key={column.key}
                className={joinClasses(
                  'py-2.5 pr-4 align-top last:pr-0 max-sm:has-[>div:empty]:hidden max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5',
                  column.isNumber === true && 'text-right tabular-nums',
                )}
              >
                <span aria-hidden className="text-soft sm:hidden">
                  {column.title}
                </span>
                <div className="min-w-0 wrap-anywhere">{column.render(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
