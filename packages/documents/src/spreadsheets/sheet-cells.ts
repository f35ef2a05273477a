import type { BorderStyle, Cell, CellStyle, CellType } from 'hucre';
import { fillsCells, markFunctions } from './function-prefixes.ts';
import type { SheetLook } from './sheet-look.ts';
import { nameColumn, type SheetCell, type SheetColumn, type SheetModel, type SheetTable } from './sheet-model.ts';

/** What a workbook is written as. */
export interface Writing {
  format: 'xlsx' | 'ods';
  look: SheetLook;
}

/** Cells of more rows have no lines of their own: a style for each would make the file many times larger. */
const mostLinedRows = 400;

export const fontOf = (look: SheetLook) => ({ name: look.font, size: 10 });
const side = (style: 'thin' | 'hair', color: string) => ({ style, color: { rgb: color } });

function headStyle({ isRight }: SheetColumn, look: SheetLook): CellStyle {
  return {
    font: { ...fontOf(look), bold: true, color: { rgb: look.ink } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: look.tint } },
    border: { bottom: side('thin', look.line) },
    alignment: { vertical: 'center', wrapText: true, ...(isRight ? { horizontal: 'right' } : { horizontal: 'left', indent: 1 }) },
  };
}

/** Whether the rows of a sheet have lines, in place of the grid. */
export function hasLines({ tables }: SheetModel): boolean {
  return tables.reduce((sum, { rows }) => sum + rows.length, 0) <= mostLinedRows;
}

type RowKind = 'usual' | 'lined' | 'total';

export function cellStyle({ format, isRight }: SheetColumn, kind: RowKind, look: SheetLook): CellStyle {
  const isTotal = kind === 'total';
  const border: BorderStyle | null = isTotal
    ? { top: side('thin', look.line) }
    : kind === 'lined'
      ? { bottom: side('hair', look.hair) }
      : null;
  return {
    font: { ...fontOf(look), color: { rgb: look.ink }, ...(isTotal ? { bold: true } : {}) },
    ...(format === '' ? {} : { numFmt: format }),
    ...(border && { border }),
    alignment: { vertical: 'center', ...(isRight ? { horizontal: 'right' } : { horizontal: 'left', indent: 1 }) },
  };
}

/** OpenDocument separates function arguments with semicolons; commas inside texts are unchanged. */
function writeFormula(formula: string, format: 'xlsx' | 'ods'): string {
  return format === 'xlsx'
    ? markFunctions(formula)
    : formula.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|,/g, (part) => (part === ',' ? ';' : part));
}

function nameType(value: SheetCell['value']): CellType {
  if (value === null) return 'empty';
  if (value instanceof Date) return 'date';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

interface CellPlace {
  column: SheetColumn;
  kind: RowKind;
  /** Whether the column of the sheet has the style of the cell anyway. */
  isUsual: boolean;
  /** What the cell is called. */
  name: string;
}

/** Only cells that differ from their column have their own style. */
function describeCell(cell: SheetCell, { column, kind, isUsual, name }: CellPlace, writing: Writing): Partial<Cell> | null {
  const { format, look } = writing;
  const style = cellStyle(column, kind, look);
  if (cell.formula !== undefined) {
    const known = cell.isComputed ? { formulaResult: cell.value } : {};
    const spread =
      format === 'xlsx' && fillsCells(cell.formula)
        ? { formulaType: 'array' as const, formulaRef: name, formulaDynamic: true }
        : {};
    const value = cell.isComputed ? cell.value : null;
    return { type: 'formula', value, formula: writeFormula(cell.formula, format), ...known, ...spread, style };
  }
  const isLong = typeof cell.value === 'string' && cell.value.includes('\n');
  if (isLong)
    return {
      value: cell.value,
      type: 'string',
      style: { ...style, alignment: { ...style.alignment, vertical: 'top', wrapText: true } },
    };
  // OpenDocument columns have no style.
  const isOwn = kind !== 'usual' || !isUsual || (format === 'ods' && column.format !== '' && typeof cell.value !== 'string');
  if (!isOwn || (cell.value === null && kind === 'usual')) return null;
  return { value: cell.value, type: nameType(cell.value), style };
}

type Cells = Map<string, Partial<Cell>>;

function addTable(cells: Cells, table: SheetTable, isFirst: boolean, isLined: boolean, writing: Writing): void {
  const { look } = writing;
  const { row: top, column: left, columns, rows, hasTotals, strong } = table;
  if (table.heading !== '') {
    const style = {
      font: { ...fontOf(look), size: 12, bold: true, color: { rgb: look.ink } },
      alignment: { horizontal: 'left' as const, indent: 1 },
    };
    cells.set(`${top - 1},${left}`, { value: table.heading, type: 'string', style });
  }
  for (const [x, column] of columns.entries())
    cells.set(`${top},${left + x}`, { value: column.header, type: 'string', style: headStyle(column, look) });
  for (const [y, row] of rows.entries()) {
    const kind = (hasTotals && y === rows.length - 1) || strong.has(y) ? 'total' : isLined ? 'lined' : 'usual';
    for (const [x, cell] of row.entries()) {
      const column = columns[x];
      if (!column) continue;
      const place = { column, kind, isUsual: isFirst, name: `${nameColumn(left + x)}${top + y + 2}` } as const;
      const described = describeCell(cell, place, writing);
      if (described) cells.set(`${top + y + 1},${left + x}`, described);
    }
  }
}

/** The cells of a sheet that differ from their columns, by place. */
export function listCells(sheet: SheetModel, writing: Writing): Cells {
  const { look } = writing;
  const cells: Cells = new Map();
  const titled = (size: number, color: string, bold: boolean): CellStyle => ({
    font: { ...fontOf(look), size, bold, color: { rgb: color } },
    alignment: { horizontal: 'left', vertical: 'center', indent: 1 },
  });
  if (sheet.title !== '') cells.set('0,0', { value: sheet.title, type: 'string', style: titled(16, look.ink, true) });
  if (sheet.subtitle !== '') cells.set('1,0', { value: sheet.subtitle, type: 'string', style: titled(10, look.soft, false) });
  const isLined = hasLines(sheet);
  for (const [at, table] of sheet.tables.entries()) addTable(cells, table, at === 0, isLined, writing);
  return cells;
}
