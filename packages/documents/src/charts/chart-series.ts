import type { EChartsCoreOption } from 'echarts/core';
import { type ChartParts, hasAxes, namesEnds } from './chart-parts.ts';
import { describeMarks } from './chart-marks.ts';
import {
  barGap,
  barPart,
  fontOf,
  labelsBars,
  labelStyle,
  outlined,
  sumStacks,
  writeAmong,
  writeBarValue,
  writeValue,
} from './chart-labels.ts';
import { describeWaterfall } from './chart-waterfall.ts';
import type { ChartSeries } from './chart-spec.ts';
import { formatNumber } from './number-format.ts';

/** Slices beyond these are merged: nobody can distinguish more. */
const mostSlices = 9;

/** Value labels at the bars if they fit. */
function labelBars(parts: ChartParts): EChartsCoreOption {
  const { spec } = parts;
  // Lines over the bars would cross numbers above them.
  const isCrossed = spec.lines.length > 0;
  const position = isCrossed ? 'insideBottom' : spec.horizontal ? 'right' : 'top';
  const formatter = ({ value }: { value?: unknown }) => writeBarValue(parts, value);
  return {
    ...labelStyle(parts),
    ...(isCrossed ? { color: parts.ink.ground } : outlined(parts)),
    show: labelsBars(parts),
    position,
    formatter,
  };
}

/** The sums of stacks, at the ends of their last parts. */
function labelSums(parts: ChartParts, sums: readonly number[]): EChartsCoreOption {
  const formatter = ({ dataIndex }: { dataIndex: number }) => writeAmong(parts, sums[dataIndex] ?? 0, sums);
  const position = parts.spec.horizontal ? 'right' : 'top';
  return { ...labelStyle(parts), ...outlined(parts), show: true, fontWeight: 'bold', position, formatter };
}

/** A bar below zero: its corners are round, and its number is, where it ends. */
function turnBar({ spec, look }: ChartParts, value: number): EChartsCoreOption {
  const radius = 4 * look.scale;
  const corners = spec.horizontal ? [radius, 0, 0, radius] : [0, 0, radius, radius];
  const isCrossed = spec.lines.length > 0;
  const label = isCrossed ? {} : { label: { position: spec.horizontal ? 'left' : 'bottom' } };
  return { value, itemStyle: { borderRadius: corners }, ...label };
}

function describeBars(parts: ChartParts, { values }: ChartSeries, isLast: boolean): EChartsCoreOption {
  const { spec, look } = parts;
  const radius = 4 * look.scale;
  const sums = isLast ? sumStacks(parts) : null;
  const isRounded = !spec.stacked || isLast;
  const corners = spec.horizontal ? [0, radius, radius, 0] : [radius, radius, 0, 0];
  return {
    type: 'bar',
    data: spec.stacked
      ? values.map((value) => (sums ? (value ?? 0) : value))
      : values.map((value) => (value !== null && value < 0 ? turnBar(parts, value) : value)),
    barMaxWidth: 72 * look.scale,
    barCategoryGap: `${100 - barPart * 100}%`,
    barGap: `${barGap * 100}%`,
    itemStyle: { borderRadius: isRounded ? corners : 0 },
    label: sums ? labelSums(parts, sums) : labelBars(parts),
    labelLayout: { hideOverlap: true },
  };
}

function describeLine(parts: ChartParts, { values }: ChartSeries): EChartsCoreOption {
  const { spec, data, look, ink } = parts;
  const hasFewPoints = data.labels.length <= 30;
  return {
    type: 'line',
    data: values,
    showSymbol: hasFewPoints || values.length === 1,
    symbol: 'circle',
    symbolSize: 8 * look.scale,
    itemStyle: { borderColor: ink.ground, borderWidth: 1.5 * look.scale },
    lineStyle: { width: 2.5 * look.scale },
    ...(namesEnds(parts)
      ? {
          endLabel: { ...labelStyle(parts), show: true, formatter: '{a}', color: 'inherit', fontWeight: 'bold' },
          labelLayout: { moveOverlap: 'shiftY' },
        }
      : {}),
    ...(spec.type === 'area' ? { areaStyle: { opacity: spec.stacked ? 0.55 : 0.16 } } : {}),
  };
}

function describePoints({ data, look }: ChartParts, { points }: ChartSeries): EChartsCoreOption {
  const count = data.series.reduce((sum, series) => sum + series.points.length, 0);
  const size = count > 2_000 ? 4 : count > 300 ? 6 : 10;
  return { type: 'scatter', data: points, symbolSize: size * look.scale, itemStyle: { opacity: count > 300 ? 0.55 : 0.8 } };
}

/** The largest slices in order, the rest merged into one. */
function listSlices({ data }: ChartParts): { name: string; value: number }[] {
  const values = data.series[0]?.values ?? [];
  const slices = data.labels.map((name, at) => ({ name, value: Math.max(values[at] ?? 0, 0) }));
  if (slices.length <= mostSlices) return slices;
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  const rest = sorted.slice(mostSlices - 1);
  const sum = rest.reduce((total, { value }) => total + value, 0);
  return [...sorted.slice(0, mostSlices - 1), { name: `Other (${rest.length})`, value: sum }];
}

function describeRound(parts: ChartParts, top: number): EChartsCoreOption {
  const { spec, look, ink } = parts;
  const space = look.height - top;
  const radius = Math.min(space * 0.38, look.width * 0.26);
  return {
    type: 'pie',
    data: listSlices(parts),
    center: ['50%', top + space * 0.49],
    radius: spec.type === 'donut' ? [radius * 0.6, radius] : [0, radius],
    itemStyle: { borderColor: ink.ground, borderWidth: 2 * look.scale, borderRadius: 3 * look.scale },
    label: {
      ...labelStyle(parts),
      lineHeight: 18 * look.scale,
      formatter: ({ name, value, percent }: { name: string; value: unknown; percent: number }) =>
        `${name}\n${writeValue(parts, value)} (${formatNumber(percent, 1)}%)`,
    },
    labelLine: { lineStyle: { color: ink.muted }, length: 12 * look.scale, length2: 10 * look.scale },
  };
}

function describeHeat(parts: ChartParts): EChartsCoreOption {
  const { data, look, ink } = parts;
  const cells = data.series.flatMap(({ values }, row) => values.map((value, column) => [column, row, value ?? '-']));
  const isSmall = cells.length <= 150;
  const formatter = ({ value }: { value: readonly unknown[] }) => writeValue(parts, value[2]);
  return {
    type: 'heatmap',
    data: cells,
    itemStyle: { borderColor: ink.ground, borderWidth: 2 * look.scale, borderRadius: 3 * look.scale },
    label: { ...fontOf(parts, 12), show: isSmall, formatter },
  };
}

function describeRadarSeries({ data, look }: ChartParts): EChartsCoreOption {
  return {
    type: 'radar',
    data: data.series.map(({ name, values }) => ({ name, value: values.map((value) => value ?? 0) })),
    symbolSize: 6 * look.scale,
    lineStyle: { width: 2.5 * look.scale },
    areaStyle: { opacity: 0.12 },
  };
}

/** The series to draw; `top` is the height of headline and legend. Without interaction: it is a picture. */
export function listSeries(parts: ChartParts, top: number): EChartsCoreOption[] {
  return chooseSeries(parts, top).map((series, at) => ({
    ...series,
    ...(hasAxes(parts.spec) ? describeMarks(parts, at) : {}),
    silent: true,
    cursor: 'default',
    emphasis: { disabled: true },
  }));
}

function chooseSeries(parts: ChartParts, top: number): EChartsCoreOption[] {
  const { spec, data } = parts;
  switch (spec.type) {
    case 'pie':
    case 'donut':
      return [describeRound(parts, top)];
    case 'heatmap':
      return [describeHeat(parts)];
    case 'map':
      return [];
    case 'radar':
      return [describeRadarSeries(parts)];
    case 'scatter':
      return data.series.map((series) => ({ name: series.name, ...describePoints(parts, series) }));
    case 'waterfall':
      return describeWaterfall(parts);
    case 'bar':
    case 'line':
    case 'area':
      return data.series.map((series, at) => ({
        name: series.name,
        ...(spec.stacked && !spec.lines.includes(series.name) ? { stack: 'all' } : {}),
        ...(spec.type === 'bar' && !spec.lines.includes(series.name)
          ? describeBars(parts, series, at === data.series.length - 1)
          : { ...describeLine(parts, series), z: 3 }),
      }));
  }
}
