import { z } from 'zod';
import type { SheetBrand } from './sheet-look.ts';

export const sheetFormats = ['xlsx', 'ods', 'csv'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

export const columnTypes = ['auto', 'text', 'number', 'integer', 'currency', 'percent', 'date', 'datetime', 'boolean'] as const;
export type ColumnType = (typeof columnTypes)[number];

const cell = z.union([z.string().max(32_000), z.number(), z.boolean(), z.null()]);

const column = z.strictObject({
  header: z.string().max(250).describe('What stands at the top of the column.'),
  from: z.string().max(250).optional().describe('With file: the header in the csv, if header is another one.'),
  type: z.enum(columnTypes).default('auto').describe('auto: as the cells are. text: nothing is taken for a number or a formula.'),
  format: z
    .string()
    .max(100)
    .refine((text) => !/[\p{Cc}<>]/u.test(text), 'must not hold < or >')
    .optional()
    .describe('A number format of spreadsheets, such as "#,##0.00 €" or "yyyy-mm"; in place of that of the type.'),
  width: z.number().min(2).max(100).optional().describe('In characters. Default: as the cells need.'),
  total: z.enum(['sum', 'average', 'count', 'min', 'max']).optional().describe('Put this under the column, as a formula.'),
});

const chart = z.strictObject({
  type: z.enum(['bar', 'line', 'area', 'pie', 'donut', 'scatter']),
  title: z.string().max(200).default(''),
  x: z.string().describe('The header of the column of the labels.'),
  y: z.array(z.string()).min(1).max(10).describe('The headers of the columns of the numbers.'),
  stacked: z.boolean().default(false),
});

const sheet = z
  .strictObject({
    name: z.string().min(1).max(31),
    file: z.string().optional().describe('A csv file of the workspace to take rows from; its texts stay texts, never formulas.'),
    columns: z
      .array(column)
      .max(200)
      .optional()
      .describe(
        'In their order. With file: only those that need another header, a type, a format or a total, found by from or header.',
      ),
    rows: z
      .array(z.array(cell).max(200))
      .max(20_000)
      .optional()
      .describe(
        'Cells row by row, without the headers. A text that begins with = is a formula; the first row of cells is row 2.',
      ),
    freeze: z.boolean().default(true).describe('Keep the headers in view.'),
    filter: z.boolean().default(true).describe('Offer filters at the headers.'),
    charts: z.array(chart).max(6).optional().describe('Charts of the sheet itself, beside its cells (xlsx only).'),
  })
  .meta({ disclosure: 'briefly' })
  .describe(
    '{name, rows: cell[][] without headers, or file: csv, columns: {header, type: text | number | currency | percent | date | …, format, width, total: sum | average | …}[] (of a csv those to format; from: old header), charts: {type, title, x, y[]}[], freeze, filter}',
  );

export const sheetFields = {
  sheets: z.array(sheet).min(1).max(30),
  title: z.string().max(300).default('').describe('For the properties of the file.').meta({ disclosure: 'later' }),
  author: z.string().max(300).default('').describe('For the properties of the file.').meta({ disclosure: 'later' }),
};

const workbookSpec = z.strictObject(sheetFields);
export type WorkbookSpec = z.infer<typeof workbookSpec>;
export type SheetSpec = WorkbookSpec['sheets'][number];
export type ColumnSpec = z.infer<typeof column>;
export type SheetChartSpec = z.infer<typeof chart>;

export interface SheetJob {
  files: { path: string; format: SheetFormat }[];
  workbook: WorkbookSpec;
  nowMs: number;
  /** What it looks like, in place of the usual look. */
  brand?: SheetBrand;
}
