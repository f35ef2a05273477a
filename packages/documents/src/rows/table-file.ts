/** Formats of tables whose rows are data: the cells of a csv file are text, those of the others any JSON value. */
export const tableFormats = ['csv', 'json', 'jsonl'] as const;
export type TableFormat = (typeof tableFormats)[number];

export const mostTableColumns = 200;

/** Every row has one cell per column. */
export interface TableRows {
  columns: string[];
  rows: unknown[][];
}

/** Reads a table from a file (the outcome's file is the table as JSON), or writes one. */
export type TableJob =
  | { do: 'read'; path: string; format: TableFormat; mostRows: number }
  | { do: 'write'; path: string; format: TableFormat; table: TableRows };
