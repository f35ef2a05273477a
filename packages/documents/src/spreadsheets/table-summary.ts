import { invalidField } from '@errand/base/fault.ts';
import { cellFormatOf, serialOf } from './cell-parser.ts';
import { nameCells, nameColumn, quoteSheet, type SheetCell, type SheetModel, type SheetTable } from './sheet-model.ts';
import type { TableContent, TablePlace } from './table-builder.ts';
import type { ColumnSpec, SummarySpec } from './workbook-spec.ts';

const mostKeys = 2_000;
const mostAcross = 60;

interface Source {
  sheet: string;
  table: SheetTable;
  field: string;
}

function findColumn({ sheet, table, field }: Source, header: string, part: string): number {
  const at = table.columns.findIndex((column) => column.header.toLowerCase() === header.trim().toLowerCase());
  if (at >= 0) return at;
  const known = table.columns.map((column) => column.header).slice(0, 30);
  throw invalidField(
    `${field}.summary.${part}`,
    `"${sheet}" has no column ${JSON.stringify(header)}; it has ${known.join(', ')}.`,
  );
}

/** The different values of a column, in the order of their first row. */
function listKeys({ table, field }: Source, at: number, most: number): SheetCell['value'][] {
  const body = table.hasTotals ? table.rows.slice(0, -1) : table.rows;
  const keys = new Map<string, SheetCell['value']>();
  for (const row of body) {
    const { value = null, formula } = row[at] ?? {};
    if (formula !== undefined) throw invalidField(`${field}.summary`, 'a column of formulas cannot be the order of a summary.');
    if (value !== null && value !== '')
      keys.set(value instanceof Date ? value.toISOString() : String(value).toLowerCase(), value);
  }
  if (keys.size > most)
    throw invalidField(`${field}.summary`, `would have ${keys.size} parts; ${most} fit. Sum up by another column.`);
  return [...keys.values()];
}

/** A key in a formula. */
function quoteKey(key: SheetCell['value']): string {
  if (key instanceof Date) return String(serialOf(key));
  return typeof key === 'number' ? String(key) : `"${String(key).replaceAll('"', '""')}"`;
}

const functions = { sum: 'SUMIFS', average: 'AVERAGEIFS', count: 'COUNTIFS' } as const;

/** The rows of a summary: formulas over the table that they read, so that they follow its numbers. */
export function summarize(spec: SummarySpec, sheets: readonly SheetModel[], place: TablePlace): TableContent {
  const { field } = place;
  const found = sheets.find(({ name }) => name.toLowerCase() === spec.of.toLowerCase());
  if (!found)
    throw invalidField(`${field}.summary.of`, `there is no other sheet ${JSON.stringify(spec.of)}, or it sums up this one.`);
  const source = { sheet: found.name, table: found.tables[0], field };
  const by = findColumn(source, spec.by, 'by');
  const across = spec.across === undefined ? null : findColumn(source, spec.across, 'across');
  const values = spec.values.map((header) => findColumn(source, header, 'values'));
  if (spec.how !== 'count' && values.length === 0) throw invalidField(`${field}.summary.values`, 'names no column of numbers.');
  if (across !== null && values.length > 1)
    throw invalidField(`${field}.summary.values`, 'with across there is one column of numbers.');
  const rangeOf = (at: number) => `${quoteSheet(source.sheet)}!${nameCells(source.table, at, true)}`;
  const name = functions[spec.how];
  const parts = across === null ? [null] : listKeys(source, across, mostAcross);
  const counted = values.length === 0 ? [null] : values;
  const cells = parts.flatMap((part) => counted.map((value) => ({ part, value })));
  const columnOf = ({ part, value }: (typeof cells)[number]): ColumnSpec => {
    const own = value === null ? undefined : source.table.columns[value];
    const header =
      part === null ? (own?.header ?? 'Count') : part instanceof Date ? part.toISOString().slice(0, 10) : String(part);
    const format = spec.how === 'count' ? cellFormatOf('integer') : (own?.format ?? '');
    return { header, type: 'number', ...(format !== '' && { format }), ...(spec.how !== 'average' && { total: 'sum' as const }) };
  };
  const columns: ColumnSpec[] = [{ header: source.table.columns[by]?.header ?? spec.by, type: 'auto' }, ...cells.map(columnOf)];
  const rows = listKeys(source, by, mostKeys).map((key, y): SheetCell[] => [
    { value: key },
    ...cells.map(({ part, value }): SheetCell => {
      const read = spec.how === 'count' || value === null ? [] : [rangeOf(value)];
      const first = `$${nameColumn(place.column)}${place.row + y + 2}`;
      const second = part === null || across === null ? [] : [rangeOf(across), quoteKey(part)];
      return { value: null, formula: `${name}(${[...read, rangeOf(by), first, ...second].join(',')})` };
    }),
  ]);
  return { columns, rows };
}
