import { invalidField } from '@errand/base/fault.ts';
import { type CsvTable, findColumn, readCsvTable, readNumbers } from '../tables/csv-table.ts';
import { listUnknownCountries } from './chart-map.ts';
import type { ChartData, ChartSeries, ChartSpec } from './chart-spec.ts';

const mostDrawnLabels = 2_000;
const mostDrawnValues = 100_000;

type ReadFile = (path: string) => Promise<Uint8Array>;

function checkInline(spec: ChartSpec): ChartData {
  const isScatter = spec.type === 'scatter';
  if (!spec.series) throw invalidField('series', 'is missing. Give labels and series, or a csv file with file.');
  if (isScatter && spec.series.some(({ points }) => !points?.length)) {
    throw invalidField('series', 'each series of a scatter chart needs points, such as [[1, 2.5], [2, 3.1]].');
  }
  const labels = isScatter ? [] : spec.labels;
  if (!labels) throw invalidField('labels', 'is missing: one text for each value.');
  const series = spec.series.map(({ name, values = [], points = [] }, at): ChartSeries => {
    if (!isScatter && values.length !== labels.length) {
      const counts = `has ${values.length} values, but there are ${labels.length} labels. Give one value (or null) for each label.`;
      throw invalidField(`series.${at}.values`, counts);
    }
    return { name, values, points: isScatter ? points : [] };
  });
  return { labels, series };
}

function hasNumbers(values: readonly (number | null)[]): boolean {
  return values.filter((value) => value !== null).length * 2 > values.length;
}

/** The numeric columns: the named ones, or all that contain mostly numbers. */
function chooseColumns(table: CsvTable, spec: ChartSpec, labelColumn: number): number[] {
  if (spec.y) return spec.y.map((name) => findColumn(table, name, 'y'));
  const found = table.columns.flatMap((_, at) => (at !== labelColumn && hasNumbers(readNumbers(table, at)) ? [at] : []));
  if (found.length === 0 && spec.aggregate !== 'count') {
    throw invalidField(
      'y',
      `no column of "${spec.file}" holds numbers. Its columns are ${table.columns.slice(0, 30).join(', ')}.`,
    );
  }
  return found.slice(0, spec.group_by === undefined ? 40 : 1);
}

function combine(numbers: readonly number[], how: ChartSpec['aggregate']): number | null {
  const sum = () => numbers.reduce((total, value) => total + value, 0);
  if (how === 'count') return numbers.length;
  if (numbers.length === 0) return null;
  if (how === 'mean') return sum() / numbers.length;
  if (how === 'min') return numbers.reduce((a, b) => Math.min(a, b));
  if (how === 'max') return numbers.reduce((a, b) => Math.max(a, b));
  return sum();
}

interface Cell {
  label: string;
  series: string;
  value: number | null;
}

/** One cell for each row and column of numbers, before rows with the same label are merged. */
function listCells(table: CsvTable, spec: ChartSpec, labelColumn: number): Cell[] {
  const group = spec.group_by === undefined ? null : findColumn(table, spec.group_by, 'group_by');
  const columns = chooseColumns(table, spec, labelColumn);
  const counted: [string, (number | null)[]][] = [['Count', table.rows.map(() => 1)]];
  const numbered = columns.map((column): [string, (number | null)[]] => [
    table.columns[column] ?? '',
    spec.aggregate === 'count' ? table.rows.map((row) => (row[column] === '' ? null : 1)) : readNumbers(table, column),
  ]);
  return (numbered.length === 0 ? counted : numbered).flatMap(([name, values]) =>
    table.rows.map((row, at) => ({
      label: row[labelColumn] ?? '',
      series: group === null ? name : (row[group] ?? ''),
      value: values[at] ?? null,
    })),
  );
}

function collect(cells: readonly Cell[], spec: ChartSpec): ChartData {
  const labels = [...new Set(cells.map(({ label }) => label))];
  const names = [...new Set(cells.map(({ series }) => series))];
  if (names.length > 40) throw invalidField('group_by', `would make ${names.length} series; 40 can be drawn.`);
  const numbers = new Map<string, number[]>();
  const keyOf = (label: string, name: string) => `${name}\u0000${label}`;
  for (const { label, series, value } of cells) {
    if (value === null) continue;
    const key = keyOf(label, series);
    const known = numbers.get(key);
    if (known) known.push(value);
    else numbers.set(key, [value]);
  }
  const series = names.map((name) => ({
    name,
    points: [],
    values: labels.map((label) => combine(numbers.get(keyOf(label, name)) ?? [], spec.aggregate)),
  }));
  return { labels, series };
}

/** Rows unchanged, one label each: nothing is summed up unless requested. */
function keepRows(table: CsvTable, spec: ChartSpec, labelColumn: number): ChartData {
  const series = chooseColumns(table, spec, labelColumn).map((column) => ({
    name: table.columns[column] ?? '',
    values: readNumbers(table, column),
    points: [],
  }));
  return { labels: table.rows.map((row) => row[labelColumn] ?? ''), series };
}

function collectPoints(table: CsvTable, spec: ChartSpec, labelColumn: number): ChartData {
  const xs = readNumbers(table, labelColumn);
  const group = spec.group_by === undefined ? null : findColumn(table, spec.group_by, 'group_by');
  const series = new Map<string, ChartSeries>();
  for (const column of chooseColumns(table, spec, labelColumn)) {
    for (const [row, y] of readNumbers(table, column).entries()) {
      const x = xs[row] ?? null;
      if (x === null || y === null) continue;
      const name = (group === null ? table.columns[column] : table.rows[row]?.[group]) ?? '';
      const known = series.get(name) ?? { name, values: [], points: [] };
      series.set(name, known);
      known.points.push([x, y]);
    }
  }
  if (series.size === 0) throw invalidField('x', 'for scatter, the columns x and y must hold numbers.');
  return { labels: [], series: [...series.values()] };
}

function readTableData(table: CsvTable, spec: ChartSpec): ChartData {
  const labelColumn = spec.x === undefined ? 0 : findColumn(table, spec.x, 'x');
  if (spec.type === 'scatter') return collectPoints(table, spec, labelColumn);
  if (spec.aggregate === 'none' && spec.group_by === undefined) return keepRows(table, spec, labelColumn);
  return collect(listCells(table, spec, labelColumn), spec);
}

function checkSize({ labels, series }: ChartData): void {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  if (labels.length > mostDrawnLabels) {
    const remedy = 'Bring rows together with aggregate, or give fewer rows.';
    throw invalidField('labels', `there are ${labels.length}, more than the ${mostDrawnLabels} that can be drawn. ${remedy}`);
  }
  if (points + labels.length * series.length > mostDrawnValues) {
    throw invalidField('series', `there are more than ${mostDrawnValues} values. Draw a sample or bring rows together.`);
  }
}

/** The labels in the order of their sums, with their values; gaps count as nothing. */
function sortLabels(data: ChartData, order: ChartSpec['sort']): ChartData {
  if (order === 'none' || data.labels.length === 0) return data;
  const sums = data.labels.map((_, at) => data.series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const sign = order === 'ascending' ? 1 : -1;
  const places = data.labels.map((_, at) => at).sort((a, b) => sign * ((sums[a] ?? 0) - (sums[b] ?? 0)));
  return {
    labels: places.map((at) => data.labels[at] ?? ''),
    series: data.series.map((each) => ({ ...each, values: places.map((at) => each.values[at] ?? null) })),
  };
}

function checkLines({ type, lines, panels, annotations }: ChartSpec, { series, labels }: ChartData): void {
  const unknown = lines.find((wanted) => !series.some(({ name }) => name === wanted));
  if (unknown !== undefined)
    throw invalidField(
      'lines',
      `there is no series ${JSON.stringify(unknown)}; there are ${series.map(({ name }) => JSON.stringify(name)).join(', ')}.`,
    );
  if (panels && !['bar', 'line', 'area'].includes(type)) throw invalidField('panels', 'are for bars, lines, and areas.');
  if (panels && series.length > 24) throw invalidField('panels', `there would be ${series.length}; 24 can be read.`);
  const lost = annotations.find(({ at }) => !labels.includes(at));
  if (lost !== undefined) throw invalidField('annotations', `there is no label ${JSON.stringify(lost.at)}.`);
  const strange = type === 'map' ? listUnknownCountries(labels) : [];
  if (strange.length > 0)
    throw invalidField('labels', `no map has ${strange.slice(0, 10).join(', ')}; take names of countries or codes such as DE.`);
  if (type === 'map' && series.length > 1) throw invalidField('series', 'a map has one series: a number for each country.');
  if (type === 'waterfall' && series.length > 1)
    throw invalidField(
      'series',
      'a waterfall has one series: the opening value, then what is added; null stands for the sum so far.',
    );
}

/** The numbers of a chart, from the call itself or from a CSV file. Throws a Fault that says what does not fit. */
export async function loadChartData(spec: ChartSpec, readFile: ReadFile): Promise<ChartData> {
  const { file } = spec;
  const data = file === undefined ? checkInline(spec) : readTableData(readCsvTable(await readFile(file), file), spec);
  checkSize(data);
  checkLines(spec, data);
  const isEmpty = data.series.every(({ values, points }) => points.length === 0 && values.every((value) => value === null));
  if (isEmpty) throw invalidField('series', 'there is nothing to draw: no number was found.');
  return sortLabels(data, spec.sort);
}
