import type { ColumnDef, PageSetup, RowDef, WriteOptions, WriteSheet } from 'hucre';
import { cellStyle, fontOf, hasLines, listCells, type Writing } from './sheet-cells.ts';
import { encodePageLine } from './page-lines.ts';
import { describeChart } from './sheet-charts.ts';
import { listRules, listValidations } from './sheet-rules.ts';
import { type CellValue, lastRowOf, nameColumn, type SheetModel, type WorkbookModel } from './sheet-model.ts';
import { finishWorkbook } from './workbook-theme.ts';

/** An upright page holds about this many characters beside each other; a sheet that is a little wider shrinks. */
const portraitChars = 95;
const widestPortrait = 108;
/** A narrow sheet grows on paper, at most to this share of its size on the screen, in percent. */
const mostScale = 140;

/** The columns of a sheet: as wide as the widest table needs, with the style of the first one. */
function listColumns({ tables }: SheetModel, writing: Writing): ColumnDef[] {
  const [first] = tables;
  const count = Math.max(...tables.map(({ column, columns }) => column + columns.length));
  return Array.from({ length: count }, (_, at): ColumnDef => {
    const widths = tables.flatMap(({ column, columns }) => columns[at - column]?.width ?? []);
    const own = first.columns[at - first.column];
    // A gap between two tables is narrow.
    const width = widths.length === 0 ? 3 : Math.max(...widths);
    return { width, ...(own && { style: cellStyle(own, 'usual', writing.look) }) };
  });
}

/** The values of a sheet, row by row. */
function listRows({ title, subtitle, tables }: SheetModel): CellValue[][] {
  const bottom = Math.max(...tables.map(lastRowOf));
  const rows = Array.from({ length: bottom + 1 }, (): CellValue[] => []);
  const put = (row: number, column: number, value: CellValue) => {
    const target = rows[row];
    if (!target) return;
    while (target.length < column) target.push(null);
    target[column] = value;
  };
  if (title !== '') put(0, 0, title);
  if (subtitle !== '') put(1, 0, subtitle);
  for (const table of tables) {
    if (table.heading !== '') put(table.row - 1, table.column, table.heading);
    for (const [x, { header }] of table.columns.entries()) put(table.row, table.column + x, header);
    for (const [y, row] of table.rows.entries())
      for (const [x, { value }] of row.entries()) put(table.row + y + 1, table.column + x, value);
  }
  return rows;
}

function setUpPage({ tables, charts, print }: SheetModel, columns: readonly ColumnDef[]): PageSetup {
  const [first] = tables;
  const chars = columns.reduce((sum, { width = 8 }) => sum + width, 0);
  const isWide = chars > widestPortrait || charts.length > 0;
  // Programs only shrink what is to fit on a page. A tenth is left for fonts that are wider than ours.
  const scale = Math.min(mostScale, Math.floor((90 * portraitChars) / chars));
  const isSetByHand = Boolean(print?.orientation ?? print?.area ?? print?.pages_high);
  const grows = !isWide && !isSetByHand && scale > 105;
  return {
    paperSize: print?.paper ?? 'a4',
    orientation: print?.orientation ?? (isWide ? 'landscape' : 'portrait'),
    ...(grows ? { scale } : { fitToPage: true, fitToWidth: 1, fitToHeight: print?.pages_high ?? 0 }),
    ...(print?.area !== undefined && { printArea: print.area.toUpperCase().replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2') }),
    ...(tables.length === 1 && { printTitlesRow: `$${first.row + 1}:$${first.row + 1}` }),
    margins: { top: 0.6, bottom: 0.6, left: 0.5, right: 0.5, header: 0.3, footer: 0.3 },
  };
}

/** Rows that are not as high as the others: titles, and headers with air. Tall tables keep the usual height. */
function listHeights(sheet: SheetModel): Map<number, RowDef> {
  const heights = new Map<number, RowDef>();
  if (hasLines(sheet)) {
    for (const { row, rows } of sheet.tables)
      for (const [y, cells] of rows.entries())
        if (!cells.some(({ value }) => typeof value === 'string' && value.includes('\n')))
          heights.set(row + y + 1, { height: 17 });
  }
  for (const { row, heading } of sheet.tables) {
    heights.set(row, { height: 21 });
    if (heading !== '') heights.set(row - 1, { height: 22 });
  }
  if (sheet.title !== '') heights.set(0, { height: 27 });
  return heights;
}

function describeSheet(sheet: SheetModel, index: number, writing: Writing): WriteSheet {
  const { format, look } = writing;
  const [first] = sheet.tables;
  const columns = listColumns(sheet, writing);
  const isExcel = format === 'xlsx';
  const bottom = first.row + first.rows.length + (first.hasTotals ? 0 : 1);
  const charts = isExcel
    ? sheet.charts.map((chart, at) => describeChart(sheet, chart, at, `sheets.${index}.charts.${at}`, look))
    : [];
  const [rules, validations] = isExcel ? [listRules(sheet, index, look), listValidations(sheet, index)] : [[], []];
  const frozen = {
    ...(sheet.isFrozen && { rows: first.row + 1 }),
    ...(sheet.frozenColumns > 0 && { columns: sheet.frozenColumns }),
  };
  return {
    name: sheet.name,
    columns,
    rows: listRows(sheet),
    cells: listCells(sheet, writing),
    rowDefs: listHeights(sheet),
    pageSetup: setUpPage(sheet, columns),
    headerFooter: {
      ...(sheet.print?.header && { oddHeader: encodePageLine(sheet.print.header) }),
      oddFooter: encodePageLine(sheet.print?.footer ?? '{sheet} | | {page} / {pages}'),
    },
    view: { showGridLines: !hasLines(sheet) },
    ...(Object.keys(frozen).length > 0 ? { freezePane: frozen } : {}),
    ...(sheet.hasFilter ? { autoFilter: { range: `A${first.row + 1}:${nameColumn(first.columns.length - 1)}${bottom}` } } : {}),
    ...(charts.length > 0 ? { charts } : {}),
    ...(rules.length > 0 ? { conditionalRules: rules } : {}),
    ...(validations.length > 0 ? { dataValidations: validations } : {}),
  };
}

/** The only place that knows which library writes workbooks. */
export async function writeWorkbook(model: WorkbookModel, format: 'xlsx' | 'ods'): Promise<Uint8Array> {
  const { title, author, madeAt, look } = model;
  const options: WriteOptions = {
    sheets: model.sheets.map((sheet, index) => describeSheet(sheet, index, { format, look })),
    properties: { title, creator: author || 'Errand', created: madeAt, modified: madeAt },
    defaultFont: fontOf(look),
    ...(model.names.length > 0 && format === 'xlsx' && { namedRanges: model.names }),
  };
  if (format === 'ods') {
    const { writeOds } = await import('hucre/ods');
    const { setOdsWidths } = await import('./ods-widths.ts');
    return setOdsWidths(
      await writeOds(options),
      options.sheets.map(({ columns = [] }) => columns.map(({ width = 8 }) => width)),
    );
  }
  const { writeXlsx } = await import('hucre/xlsx');
  const written = await writeXlsx(options);
  const hasBars = options.sheets.some(({ conditionalRules = [] }) => conditionalRules.some(({ type }) => type === 'dataBar'));
  const hasCharts = model.sheets.some(({ charts }) => charts.length > 0);
  return look.theme || hasCharts || hasBars ? finishWorkbook(written, look.theme, look.hair) : written;
}
