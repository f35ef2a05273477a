import { invalidField } from '@errand/base/fault.ts';
import { cellFormatOf, readDate, serialOf } from './cell-parser.ts';
import { bodyOf, type CellValue, nameCells, nameColumn, quoteSheet, type SheetCell, type SheetModel } from './sheet-model.ts';
import {
  type ComputeCell,
  holdsDates,
  idOf,
  listParts,
  type Period,
  readColumn,
  type Source,
  type SummaryPart,
} from './summary-parts.ts';
import type { TableContent, TablePlace } from './table-builder.ts';
import type { ColumnSpec, SummarySpec } from './workbook-spec.ts';

const mostRows = 2_000;
const mostAcross = 60;

/** A column whose values are the rows or the columns of a summary. */
interface Axis {
  at: number;
  values: CellValue[];
  /** Null unless its dates are put together. */
  period: Period | null;
  parts: Map<string, SummaryPart>;
}

function findColumn({ sheet, table, field }: Source, header: string, part: string): number {
  const at = table.columns.findIndex((column) => column.header.toLowerCase() === header.trim().toLowerCase());
  if (at >= 0) return at;
  const known = table.columns.map((column) => column.header).slice(0, 30);
  throw invalidField(
    `${field}.summary.${part}`,
    `"${sheet.name}" has no column ${JSON.stringify(header)}; it has ${known.join(', ')}.`,
  );
}

function readAxis(source: Source, at: number, wanted: Period | undefined, most: number): Axis {
  const values = readColumn(source, at);
  const period = wanted !== undefined && holdsDates(values) ? wanted : null;
  return { at, values, period, parts: listParts(values, period, { field: source.field, most }) };
}

/** Whether a value is a date, or a text that would be one in a column of dates. */
function readsAsDate(value: CellValue): boolean {
  return value instanceof Date || (typeof value === 'string' && readDate(value) !== null);
}

/** Throws unless a column holds dates only, of which a summary makes periods; names the cell that is none among dates. */
function checkDates({ sheet, table, field }: Source, axes: readonly Axis[]): void {
  if (axes.some(({ period }) => period !== null)) return;
  for (const { at, values } of axes) {
    const y = values.findIndex((value) => value !== null && value !== '' && !readsAsDate(value));
    if (y < 0 || !values.some(readsAsDate)) continue;
    const name = `${sheet.name}!${nameColumn(table.column + at)}${table.row + y + 2}`;
    throw invalidField(
      `${field}.summary.period`,
      `needs dates only, but ${name} is ${JSON.stringify(values[y])}. Give its date, or empty the cell, which leaves its row out, and give the column type: "date".`,
    );
  }
  throw invalidField(`${field}.summary.period`, 'needs a column of dates in by or across, with type: "date".');
}

/** How many rows a summary leaves out, because they have no value in its columns. */
function countLeftOut({ table }: Source, axes: readonly Axis[]): number {
  return bodyOf(table).filter((row, y) => {
    const isFilled = row.some(({ value }) => value !== null && value !== '');
    return isFilled && axes.some(({ values, period }) => idOf(values[y] ?? null, period) === null);
  }).length;
}

/** A value in a formula. */
function quoteValue(value: CellValue): string {
  if (value instanceof Date) return String(serialOf(value));
  return typeof value === 'number' ? String(value) : `"${String(value).replaceAll('"', '""')}"`;
}

function writeDay(day: Date): string {
  return `DATE(${day.getUTCFullYear()},${day.getUTCMonth() + 1},${day.getUTCDate()})`;
}

/** The arguments by which a formula counts the rows of one part. @param key the value of the part, or the cell that has it */
function writeCriteria(range: string, { days }: SummaryPart, key: string): string[] {
  return days ? [range, `">="&${writeDay(days.from)}`, range, `"<"&${writeDay(days.until)}`] : [range, key];
}

const functions = { sum: 'SUMIFS', average: 'AVERAGEIFS', count: 'COUNTIFS' } as const;

/** What the rows of each part come to: the figure by which they are sorted. */
function measure({ values, period }: Axis, how: SummarySpec['how'], numbers: readonly CellValue[] | null): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [y, value] of values.entries()) {
    const id = idOf(value, period);
    const number = numbers === null ? 1 : numbers[y];
    if (id === null || typeof number !== 'number') continue;
    const { sum, count } = sums.get(id) ?? { sum: 0, count: 0 };
    sums.set(id, { sum: sum + number, count: count + 1 });
  }
  return new Map(
    Array.from(sums, ([id, { sum, count }]) => [id, how === 'average' ? sum / count : how === 'count' ? count : sum]),
  );
}

const byText = new Intl.Collator('en', { numeric: true });

/** Compares the labels of rows: numbers, then dates, then texts, each in their own order. */
function compareLabels(one: CellValue, other: CellValue): number {
  const kindOf = (label: CellValue) => (typeof label === 'number' ? 0 : label instanceof Date ? 1 : 2);
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return kind - kindOf(other);
  return kind === 2 ? byText.compare(String(one), String(other)) : Number(one) - Number(other);
}

/** The rows of a summary in their order. */
function sortRows(source: Source, by: Axis, { sort, how }: SummarySpec, values: readonly number[]): SummaryPart[] {
  const rows = Array.from(by.parts);
  if (sort === undefined) return rows.map(([, part]) => part);
  if (sort === 'name') return rows.map(([, part]) => part).toSorted((one, other) => compareLabels(one.label, other.label));
  const [first] = values;
  const figures = measure(by, how, how === 'count' || first === undefined ? null : readColumn(source, first));
  const sign = sort === 'largest' ? -1 : 1;
  const figureOf = (id: string) => figures.get(id) ?? 0;
  return rows.toSorted(([one], [other]) => sign * (figureOf(one) - figureOf(other))).map(([, part]) => part);
}

function describeLabel(label: CellValue): string {
  return label instanceof Date ? label.toISOString().slice(0, 10) : String(label);
}

function openSource(spec: SummarySpec, sheets: readonly SheetModel[], field: string, compute: ComputeCell): Source {
  const sheet = sheets.find(({ name }) => name.toLowerCase() === spec.of.toLowerCase());
  if (sheet) return { sheet, table: sheet.tables[0], field, compute };
  throw invalidField(`${field}.summary.of`, `there is no other sheet ${JSON.stringify(spec.of)}, or it sums up this one.`);
}

/** The rows of a summary, and how many rows of the table that it reads are in none of them. */
interface Summary extends TableContent {
  leftOut: number;
}

/** The rows of a summary: formulas over the table that they read, so that they follow its numbers. */
export function summarize(spec: SummarySpec, sheets: readonly SheetModel[], place: TablePlace, compute: ComputeCell): Summary {
  const { field } = place;
  const source = openSource(spec, sheets, field, compute);
  const { table } = source;
  const byAt = findColumn(source, spec.by, 'by');
  const acrossAt = spec.across === undefined ? null : findColumn(source, spec.across, 'across');
  const values = spec.values.map((header) => findColumn(source, header, 'values'));
  if (spec.how !== 'count' && values.length === 0) throw invalidField(`${field}.summary.values`, 'names no column of numbers.');
  if (acrossAt !== null && values.length > 1)
    throw invalidField(`${field}.summary.values`, 'with across there is one column of numbers.');
  const by = readAxis(source, byAt, spec.period, mostRows);
  const across = acrossAt === null ? null : readAxis(source, acrossAt, spec.period, mostAcross);
  const axes = across === null ? [by] : [by, across];
  if (spec.period !== undefined) checkDates(source, axes);
  const rangeOf = (at: number) => `${quoteSheet(source.sheet.name)}!${nameCells(table, at, true)}`;
  const parts = across === null ? [null] : [...across.parts.values()];
  const counted = values.length === 0 ? [null] : values;
  const cells = parts.flatMap((part) => counted.map((value) => ({ part, value })));
  const columnOf = ({ part, value }: (typeof cells)[number]): ColumnSpec => {
    const own = value === null ? undefined : table.columns[value];
    const header = part === null ? (own?.header ?? 'Count') : describeLabel(part.label);
    const format = spec.how === 'count' ? cellFormatOf('integer') : (own?.format ?? '');
    return { header, type: 'number', ...(format !== '' && { format }), ...(spec.how !== 'average' && { total: 'sum' as const }) };
  };
  const head: ColumnSpec = { header: table.columns[byAt]?.header ?? spec.by, type: by.period === null ? 'auto' : 'text' };
  const rows = sortRows(source, by, spec, values).map((row, y): SheetCell[] => {
    const key = `$${nameColumn(place.column)}${place.row + y + 2}`;
    const formulas = cells.map(({ part, value }): SheetCell => {
      const read = spec.how === 'count' || value === null ? [] : [rangeOf(value)];
      const second = part === null || across === null ? [] : writeCriteria(rangeOf(across.at), part, quoteValue(part.label));
      const criteria = [...writeCriteria(rangeOf(byAt), row, key), ...second];
      return { value: null, formula: `${functions[spec.how]}(${[...read, ...criteria].join(',')})` };
    });
    return [{ value: row.label }, ...formulas];
  });
  return { columns: [head, ...cells.map(columnOf)], rows, leftOut: countLeftOut(source, axes) };
}
