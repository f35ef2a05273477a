import type { ChartDataLabels, SheetChart, WriteChartKind } from 'hucre';
import { invalidField } from '@errand/base/fault.ts';
import type { SheetLook } from './sheet-look.ts';
import { nameCells, quoteSheet, readPlace, type SheetModel } from './sheet-model.ts';
import type { SheetChartSpec } from './workbook-spec.ts';

const kinds: Record<SheetChartSpec['type'], WriteChartKind> = {
  ...{ bar: 'column', column: 'column', line: 'line', area: 'area', pie: 'pie', donut: 'doughnut', scatter: 'scatter' },
};

const stacked = { barGrouping: 'stacked', areaGrouping: 'stacked', lineGrouping: 'stacked', overlap: 100 } as const;

/** The size of a chart in cells. */
const [chartRows, chartColumns] = [17, 8];

/** The right end of the tables, from 0. */
function findRightEnd({ tables }: SheetModel): number {
  return Math.max(...tables.map(({ column, columns }) => column + columns.length));
}

function nameLook(
  { title, type, horizontal, x_title: xTitle, y_title: yTitle }: SheetChartSpec,
  look: SheetLook,
  format: string,
) {
  const text = { labelFontSize: 9, labelColor: look.soft, labelFontFamily: look.font };
  const axisTitle = { axisTitleFontSize: 9, axisTitleBold: false, axisTitleColor: look.soft, axisTitleFontFamily: look.font };
  const isRound = type === 'pie' || type === 'donut';
  const isLying = horizontal && (type === 'bar' || type === 'column');
  const numberFormat = { formatCode: format, sourceLinked: false };
  return {
    ...(title === ''
      ? { showTitle: false }
      : { title, titleFontSize: 13, titleBold: true, titleColor: look.ink, titleFontFamily: look.font }),
    legendFontSize: 9,
    legendFontColor: look.soft,
    legendFontFamily: look.font,
    ...(isRound
      ? {}
      : {
          axes: {
            x: {
              ...text,
              ...(isLying && { reverse: true }),
              ...(xTitle !== '' && { title: xTitle, ...axisTitle }),
              majorTickMark: 'none' as const,
              minorTickMark: 'none' as const,
            },
            y: {
              ...text,
              ...(yTitle !== '' && { title: yTitle, ...axisTitle, axisTitleRotation: isLying ? 0 : -90 }),
              // So that the numbers stay below bars whose first one is on top.
              ...(isLying && { crosses: 'max' as const }),
              gridlines: { major: true },
              majorTickMark: 'none' as const,
              minorTickMark: 'none' as const,
              ...(format !== '' && { numberFormat }),
            },
          },
        }),
  };
}

/** A chart of the first table of a sheet. */
export function describeChart(sheet: SheetModel, chart: SheetChartSpec, at: number, field: string, look: SheetLook): SheetChart {
  const [table] = sheet.tables;
  const find = (header: string, part: string) => {
    const column = table.columns.findIndex((each) => each.header.toLowerCase() === header.trim().toLowerCase());
    if (column === -1) throw invalidField(`${field}.${part}`, `there is no column ${JSON.stringify(header)}.`);
    return column;
  };
  const range = (column: number) => `${quoteSheet(sheet.name)}!${nameCells(table, column, true)}`;
  const categories = range(find(chart.x, 'x'));
  const isRound = chart.type === 'pie' || chart.type === 'donut';
  const named = (isRound ? chart.y.slice(0, 1) : chart.y).map((header) => find(header, 'y'));
  const series = named.map((column, number) => {
    const color = look.series[number % look.series.length] ?? look.line;
    return { name: table.columns[column]?.header ?? '', values: range(column), categories, ...(isRound ? {} : { color }) };
  });
  const kind = chart.horizontal && kinds[chart.type] === 'column' ? 'bar' : kinds[chart.type];
  const from = chart.at
    ? { row: readPlace(chart.at).row, col: readPlace(chart.at).column }
    : { row: table.row + at * (chartRows + 2), col: findRightEnd(sheet) + 1 };
  const labels: ChartDataLabels = isRound ? { showPercent: true } : { showValue: true };
  return {
    type: kind,
    series,
    ...nameLook(chart, look, table.columns[named[0] ?? 0]?.format ?? ''),
    legend: isRound ? 'right' : series.length > 1 ? 'top' : false,
    anchor: { from, to: { row: from.row + chartRows, col: from.col + chartColumns } },
    ...(kind === 'bar' || kind === 'column' ? { gapWidth: 55 } : {}),
    ...(chart.labels || isRound ? { dataLabels: labels } : {}),
    ...(chart.stacked ? stacked : {}),
    altText: chart.title || `${chart.y.join(', ')} by ${chart.x}`,
  };
}
