import { z } from 'zod';
import type { SheetBrand } from './sheet-look.ts';

export const sheetFormats = ['xlsx', 'ods', 'csv'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

const columnTypes = ['auto', 'text', 'number', 'integer', 'currency', 'percent', 'date', 'datetime', 'boolean'] as const;
export type ColumnType = (typeof columnTypes)[number];

const cell = z.union([z.string().max(32_000), z.number(), z.boolean(), z.null()]);
const header = z.string().max(250);
const place = z.string().regex(/^[A-Za-z]{1,3}[1-9]\d{0,5}$/, 'must name a cell, such as "A12"');

/** What headers and footers of printed pages fill in. */
const pageFields = ['page', 'pages', 'sheet', 'date'] as const;
export type PageField = (typeof pageFields)[number];
const knownFields: ReadonlySet<string> = new Set(pageFields);

/** Short enough for the 255 characters that spreadsheet programs read, even if every one is doubled. */
export const pageLine = z
  .string()
  .max(120)
  .refine((line) => line.split('|').length <= 3, 'has at most three parts: "left | middle | right".')
  .refine(
    (line) => Array.from(line.matchAll(/\{(\w+)\}/g)).every(([, name = '']) => knownFields.has(name)),
    'fills in {page}, {pages}, {sheet}, and {date} only.',
  );

/** How cells that meet a condition look. */
const markLooks = ['good', 'warn', 'bad', 'bold'] as const;
const mark = z.strictObject({
  if: z.string().min(1).max(200).describe('"< 0", ">= 100", "= late", "<> ok", "between 1 and 5", "contains risk".'),
  as: z.enum(markLooks),
});

const column = z.strictObject({
  header: header.describe('What stands at the top of the column.'),
  from: header.optional().describe('With file: the header in the csv, if header is another one.'),
  type: z.enum(columnTypes).default('auto').describe('auto: as the cells are. text: nothing is taken for a number or a formula.'),
  format: z
    .string()
    .max(100)
    .refine((text) => !/[\p{Cc}<>]/u.test(text), 'must not hold < or >')
    .optional()
    .describe('A number format of spreadsheets, such as "#,##0.00 €" or "yyyy-mm"; in place of that of the type.'),
  width: z.number().min(2).max(100).optional().describe('In characters. Default: as the cells need.'),
  formula: z
    .string()
    .startsWith('=')
    .max(2_000)
    .optional()
    .describe(
      'For each row without a cell of its own: "=C{row}/B{row}"; {row} is its number, {first} and {last} those of the table.',
    ),
  total: z
    .enum(['sum', 'average', 'count', 'min', 'max', 'formula'])
    .optional()
    .describe('Put this under the column, as a formula. formula: that of the column, so that a ratio is one of totals.'),
  show: z.enum(['bars', 'scale', 'arrows']).optional().describe('In Excel: bars in the cells, a color scale, or arrows.'),
  marks: z.array(mark).max(10).optional().describe('In Excel: how cells look that meet a condition.'),
  choices: z.array(z.string().min(1).max(80)).min(1).max(40).optional().describe('What may be entered, as a list.'),
  min: z.number().optional().describe('The least that may be entered.'),
  max: z.number().optional().describe('The most that may be entered.'),
});

const chart = z.strictObject({
  type: z.enum(['bar', 'column', 'line', 'area', 'pie', 'donut', 'scatter']).describe('bar and column stand, unless horizontal.'),
  title: z.string().max(200).default(''),
  x: z.string().describe('The header of the column of the labels.'),
  y: z.array(z.string()).min(1).max(10).describe('The headers of the columns of the numbers.'),
  stacked: z.boolean().default(false),
  horizontal: z.boolean().default(false).describe('Bars that lie.'),
  x_title: z.string().max(100).default('').describe('What the labels are.'),
  y_title: z.string().max(100).default('').describe('What the numbers are, with their unit.'),
  labels: z.boolean().default(false).describe('The numbers at bars, points, or slices.'),
  at: place.optional().describe('Its upper left cell. Default: beside the tables.'),
});

const summary = z.strictObject({
  of: z.string().max(31).describe('A sheet of this workbook; its first table is summed up.'),
  by: header.describe('The column whose values become rows.'),
  across: header.optional().describe('A column whose values become columns.'),
  values: z.array(header).max(10).default([]).describe('The columns of numbers; with across one.'),
  how: z.enum(['sum', 'average', 'count']).default('sum'),
  period: z
    .enum(['month', 'quarter', 'year'])
    .optional()
    .describe(
      'Put the dates of by and across together: a part for each month, quarter, or year, also those without rows; rows without a date are left out.',
    ),
  sort: z
    .enum(['largest', 'smallest', 'name'])
    .optional()
    .describe(
      'The order of the rows: by their numbers as they are now (with across, all of a row), or by name. Default: as they come.',
    ),
});

/** What a table is made of: rows, a file, or a summary of another table. */
const tableFields = {
  file: z.string().optional().describe('A csv file of the workspace to take rows from; its texts stay texts, never formulas.'),
  summary: summary.optional().describe('In place of rows: what another sheet holds, summed up by formulas.'),
  columns: z
    .array(column)
    .max(200)
    .optional()
    .describe(
      'In their order. With file or summary: only those that need another header, a type, a format or a total, found by from or header, and further ones with a formula.',
    ),
  rows: z
    .array(z.array(cell).max(200))
    .max(20_000)
    .optional()
    .describe('Cells row by row, without the headers. A text that begins with = is a formula.'),
  strong: z
    .array(z.int().min(1).max(20_000))
    .max(50)
    .default([])
    .describe('Rows that look like totals; 1 is the first below the headers.'),
  total_label: z.string().max(100).default('Total').describe('What stands beside the totals.'),
};

const furtherTable = z.strictObject({
  at: place.describe('The cell of its first header; its heading stands above.'),
  heading: z.string().max(200).default(''),
  ...tableFields,
});

const sheet = z
  .strictObject({
    name: z.string().min(1).max(31),
    title: z.string().max(200).default('').describe('Above the table, whose headers are then row 4 and first cells row 5.'),
    subtitle: z.string().max(300).default('').describe('Unit, period, source; below the title.'),
    ...tableFields,
    tables: z.array(furtherTable).max(20).optional().describe('Further tables on the sheet.'),
    freeze: z.boolean().default(true).describe('Keep the headers in view.'),
    freeze_columns: z.int().min(0).max(20).default(0).describe('Columns to keep in view.'),
    filter: z.boolean().default(true).describe('Offer filters at the headers, if it is the only table.'),
    charts: z.array(chart).max(6).optional().describe('Charts of the first table, beside its cells (xlsx only).'),
    print: z
      .strictObject({
        orientation: z.enum(['portrait', 'landscape']).optional().describe('Default: as the width needs.'),
        area: z
          .string()
          .regex(/^[A-Za-z]{1,3}\d{1,6}:[A-Za-z]{1,3}\d{1,6}$/, 'must be a range, such as "A1:H40"')
          .optional()
          .describe('Default: everything.'),
        pages_high: z.int().min(0).max(100).default(0).describe('0: as many as there are rows for; the width always fits.'),
        paper: z.enum(['a3', 'a4', 'a5', 'letter', 'legal', 'tabloid']).default('a4'),
        header: pageLine
          .optional()
          .describe('"left | middle | right", with {page}, {pages}, {sheet}, {date}: "Acme Ltd | | {date}". Default: none.'),
        footer: pageLine.optional().describe('As header. Default: "{sheet} | | {page} / {pages}".'),
      })
      .optional(),
  })
  .meta({ disclosure: 'briefly' })
  .describe(
    '{name, title, rows without headers, or file: csv, or summary, columns: {header, type: text | number | currency | percent | date | …, format, formula: "=C{row}/B{row}", total: sum | formula | …, show, marks}[] (from: old header), tables: {at, …}[], charts: {type, title, x, y[]}[], print}',
  );

const name = z.strictObject({
  name: z.string().refine((text) => /^[\p{L}_][\p{L}\p{N}_.]{0,80}$/u.test(text), 'must be one word, such as "TaxRate"'),
  range: z.string().max(100).describe('"Sales!B2:B13" or "Inputs!B1".'),
});

export const sheetFields = {
  sheets: z.array(sheet).min(1).max(30),
  names: z.array(name).max(50).default([]).describe('Names that formulas may use.').meta({ disclosure: 'later' }),
  title: z.string().max(300).default('').describe('For the properties of the file.').meta({ disclosure: 'later' }),
  author: z.string().max(300).default('').describe('For the properties of the file.').meta({ disclosure: 'later' }),
};

const workbookSpec = z.strictObject(sheetFields);
export type WorkbookSpec = z.infer<typeof workbookSpec>;
export type SheetSpec = WorkbookSpec['sheets'][number];
export type TableSpec = Pick<z.infer<typeof furtherTable>, 'file' | 'summary' | 'columns' | 'rows' | 'strong' | 'total_label'>;
export type SummarySpec = z.infer<typeof summary>;
export type ColumnSpec = z.infer<typeof column>;
export type MarkSpec = z.infer<typeof mark>;
export type SheetChartSpec = z.infer<typeof chart>;

export interface SheetJob {
  files: { path: string; format: SheetFormat }[];
  workbook: WorkbookSpec;
  nowMs: number;
  /** What it looks like, in place of the usual look. */
  brand?: SheetBrand;
}
