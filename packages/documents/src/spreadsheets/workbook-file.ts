import type { CellStyle, CellType, ColumnDef, SheetChart, WriteChartKind, WriteOptions, WriteSheet, Cell } from 'hucre';
import { invalidField } from '@errand/base/fault.ts';
import type { SheetLook } from './sheet-look.ts';
import { nameColumn, quoteSheet, type SheetCell, type SheetColumn, type SheetModel, type WorkbookModel } from './sheet-model.ts';
import { setWorkbookTheme } from './workbook-theme.ts';
import type { SheetChartSpec } from './workbook-spec.ts';

const fontOf = (look: SheetLook) => ({ name: look.font, size: 10 });
const lineOf = (look: SheetLook) => ({ style: 'thin' as const, color: { rgb: look.line } });

function headStyle({ isRight }: SheetColumn, look: SheetLook): CellStyle {
  return {
    font: { ...fontOf(look), bold: true, color: { rgb: look.ink } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: look.tint } },
    border: { bottom: lineOf(look) },
    alignment: isRight ? { horizontal: 'right', vertical: 'center' } : { horizontal: 'left', vertical: 'center', indent: 1 },
  };
}

function cellStyle({ format, isRight }: SheetColumn, isTotal: boolean, look: SheetLook): CellStyle {
  return {
    font: { ...fontOf(look), ...(isTotal ? { bold: true } : {}) },
    ...(format === '' ? {} : { numFmt: format }),
    ...(isTotal ? { border: { top: lineOf(look) } } : {}),
    alignment: isRight ? { horizontal: 'right', vertical: 'top' } : { horizontal: 'left', vertical: 'top', indent: 1 },
  };
}

/** What a workbook is written as. */
interface Writing {
  format: 'xlsx' | 'ods';
  look: SheetLook;
}

/** OpenDocument separates function arguments with semicolons; commas inside texts are unchanged. */
function writeFormula(formula: string, format: 'xlsx' | 'ods'): string {
  return format === 'xlsx'
    ? formula
    : formula.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|,/g, (part) => (part === ',' ? ';' : part));
}

function nameType(value: SheetCell['value']): CellType {
  if (value === null) return 'empty';
  if (value instanceof Date) return 'date';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Only cells that differ from their column have their own style: headers, formulas, multi-line texts, totals. */
function describeCell(cell: SheetCell, column: SheetColumn, isTotal: boolean, { format, look }: Writing): Partial<Cell> | null {
  const style = cellStyle(column, isTotal, look);
  if (cell.formula !== undefined) {
    const known = cell.isComputed ? { formulaResult: cell.value } : {};
    return {
      type: 'formula',
      value: cell.isComputed ? cell.value : null,
      formula: writeFormula(cell.formula, format),
      ...known,
      style,
    };
  }
  const isLong = typeof cell.value === 'string' && cell.value.includes('\n');
  if (isLong)
    return { value: cell.value, type: 'string', style: { ...style, alignment: { ...style.alignment, wrapText: true } } };
  // OpenDocument columns have no style.
  const isOwn = isTotal || (format === 'ods' && column.format !== '' && typeof cell.value !== 'string');
  if (!isOwn || (cell.value === null && !isTotal)) return null;
  return { value: cell.value, type: nameType(cell.value), style };
}

function listCells({ columns, rows, hasTotals }: SheetModel, writing: Writing): Map<string, Partial<Cell>> {
  const cells = new Map<string, Partial<Cell>>();
  for (const [x, column] of columns.entries())
    cells.set(`0,${x}`, { value: column.header, type: 'string', style: headStyle(column, writing.look) });
  for (const [y, row] of rows.entries()) {
    const isTotal = hasTotals && y === rows.length - 1;
    for (const [x, cell] of row.entries()) {
      const column = columns[x];
      const described = column ? describeCell(cell, column, isTotal, writing) : null;
      if (described) cells.set(`${y + 1},${x}`, described);
    }
  }
  return cells;
}

const chartKinds: Record<SheetChartSpec['type'], WriteChartKind> = {
  ...{ bar: 'column', line: 'line', area: 'area', pie: 'pie', donut: 'doughnut', scatter: 'scatter' },
};

function describeChart(sheet: SheetModel, chart: SheetChartSpec, at: number, field: string, look: SheetLook): SheetChart {
  const find = (header: string, part: string) => {
    const column = sheet.columns.findIndex((each) => each.header.toLowerCase() === header.trim().toLowerCase());
    if (column === -1) throw invalidField(`${field}.${part}`, `there is no column ${JSON.stringify(header)}.`);
    return column;
  };
  const last = sheet.rows.length + (sheet.hasTotals ? 0 : 1);
  const range = (column: number) => `${quoteSheet(sheet.name)}!$${nameColumn(column)}$2:$${nameColumn(column)}$${last}`;
  const categories = range(find(chart.x, 'x'));
  const isRound = chart.type === 'pie' || chart.type === 'donut';
  const named = isRound ? chart.y.slice(0, 1) : chart.y;
  const series = named.map((header, number) => {
    const column = find(header, 'y');
    const color = look.series[number % look.series.length] ?? look.line;
    return { name: sheet.columns[column]?.header ?? header, values: range(column), categories, ...(isRound ? {} : { color }) };
  });
  const from = { row: 1 + at * 19, col: sheet.columns.length + 1 };
  return {
    type: chartKinds[chart.type],
    ...(chart.title === '' ? {} : { title: chart.title }),
    series,
    anchor: { from, to: { row: from.row + 17, col: from.col + 9 } },
    ...(chart.stacked
      ? { barGrouping: 'stacked' as const, areaGrouping: 'stacked' as const, lineGrouping: 'stacked' as const }
      : {}),
  };
}

function describeSheet(sheet: SheetModel, index: number, writing: Writing): WriteSheet {
  const { format, look } = writing;
  const columns = sheet.columns.map((column): ColumnDef => ({ width: column.width, style: cellStyle(column, false, look) }));
  const bottom = sheet.rows.length + (sheet.hasTotals ? 0 : 1);
  const hasCharts = format === 'xlsx' && sheet.charts.length > 0;
  const charts = hasCharts
    ? sheet.charts.map((chart, at) => describeChart(sheet, chart, at, `sheets.${index}.charts.${at}`, look))
    : [];
  return {
    name: sheet.name,
    columns,
    rows: [sheet.columns.map(({ header }) => header), ...sheet.rows.map((row) => row.map(({ value }) => value))],
    cells: listCells(sheet, writing),
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0, printTitlesRow: '$1:$1' },
    ...(sheet.isFrozen ? { freezePane: { rows: 1 } } : {}),
    ...(sheet.hasFilter ? { autoFilter: { range: `A1:${nameColumn(sheet.columns.length - 1)}${bottom}` } } : {}),
    ...(hasCharts ? { charts } : {}),
  };
}

/** The only place that knows which library writes workbooks. */
export async function writeWorkbook(model: WorkbookModel, format: 'xlsx' | 'ods'): Promise<Uint8Array> {
  const { title, author, madeAt, look } = model;
  const options: WriteOptions = {
    sheets: model.sheets.map((sheet, index) => describeSheet(sheet, index, { format, look })),
    properties: { title, creator: author || 'Errand', created: madeAt, modified: madeAt },
    defaultFont: fontOf(look),
  };
  if (format === 'ods') {
    const { writeOds } = await import('hucre/ods');
    const { setOdsWidths } = await import('./ods-widths.ts');
    return setOdsWidths(
      await writeOds(options),
      model.sheets.map(({ columns }) => columns.map(({ width }) => width)),
    );
  }
  const { writeXlsx } = await import('hucre/xlsx');
  const written = await writeXlsx(options);
  return look.theme ? setWorkbookTheme(written, look.theme) : written;
}
