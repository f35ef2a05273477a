import type { EChartsCoreOption } from 'echarts/core';
import { textWidth } from '../fonts/text-width.ts';
import { fontOf, labelsBars } from './chart-labels.ts';
import type { ChartParts } from './chart-parts.ts';
import { addUnit, formatShort } from './number-format.ts';

const longestLabelChars = 28;

function shortenLabel(text: string): string {
  return text.length > longestLabelChars ? `${text.slice(0, longestLabelChars - 1).toWellFormed()}…` : text;
}

function nameAxis({ look, ink }: ChartParts, name: string, gap: number): EChartsCoreOption {
  if (name === '') return {};
  const nameTextStyle = { color: ink.muted, ...fontOf({ look }, 13) };
  return { name, nameLocation: 'middle', nameGap: gap, nameTextStyle };
}

/** Whether labels next to each other would overlap. */
function needsTurning({ data, look }: ChartParts): boolean {
  const widest = data.labels.reduce((max, label) => Math.max(max, textWidth(shortenLabel(label))), 0);
  const shown = Math.min(data.labels.length, 40);
  return (
    widest * 13 * look.scale + Math.min(8, widest * 8) >
    (look.width - Math.min(100 * look.scale, look.width * 0.2)) / Math.max(shown, 1)
  );
}

function describeCategories(parts: ChartParts, name: string, isVertical: boolean): EChartsCoreOption {
  const { spec, data, look, ink } = parts;
  const isHeat = spec.type === 'heatmap';
  const isTurned = !isVertical && needsTurning(parts);
  return {
    type: 'category',
    data: data.labels,
    inverse: isVertical,
    boundaryGap: spec.type === 'bar' || spec.type === 'waterfall' || isHeat,
    axisTick: { show: false },
    axisLine: { show: !isHeat, lineStyle: { color: ink.line, width: look.scale } },
    axisLabel: {
      color: ink.muted,
      ...fontOf(parts, 13),
      margin: 10 * look.scale,
      rotate: isTurned && data.labels.length <= 40 ? 40 : 0,
      hideOverlap: true,
      ...(isVertical || data.labels.length <= 16 ? { interval: 0 } : {}),
      formatter: shortenLabel,
    },
    ...nameAxis(parts, name, (isVertical ? 90 : isTurned ? 76 : 34) * look.scale),
  };
}

function hasBarsToTheLeft({ spec, data }: ChartParts): boolean {
  const isLying = spec.type === 'bar' && spec.horizontal && !spec.stacked;
  return isLying && data.series.some(({ values }) => values.some((value) => value !== null && value < 0));
}

/** Whether an axis says more than the numbers at the bars: where zero is, and how far lines are from it. */
function showsMore({ spec, data }: ChartParts): boolean {
  const isBelow = data.series.some(({ values }) => values.some((value) => value !== null && value < 0));
  return isBelow || spec.lines.length > 0 || spec.references.length > 0;
}

function describeNumbers(parts: ChartParts, name: string, isVertical: boolean): EChartsCoreOption {
  const { spec, look, ink } = parts;
  // Where every bar has its number, an axis would say it twice.
  const isSpoken = labelsBars(parts) && !showsMore(parts) && name === '';
  return {
    type: 'value',
    // Numbers of bars to the left would stand on the names of the axis.
    ...(hasBarsToTheLeft(parts) && !isVertical && { boundaryGap: ['14%', 0] }),
    scale: spec.type === 'scatter' || (spec.type === 'line' && !spec.stacked),
    axisLine: { show: spec.type === 'scatter', lineStyle: { color: ink.line } },
    axisTick: { show: false },
    splitLine: { show: !isSpoken, lineStyle: { color: ink.line, width: look.scale } },
    axisLabel: {
      show: !isSpoken,
      color: ink.muted,
      ...fontOf(parts, 13),
      margin: 10 * look.scale,
      hideOverlap: true,
      formatter: (value: number) => addUnit(formatShort(value), isVertical || spec.horizontal ? spec.unit : ''),
    },
    ...nameAxis(parts, name, (isVertical ? 62 : 34) * look.scale),
  };
}

/** The rows of a heat map are its series, first on top. */
function describeHeatRows(parts: ChartParts): EChartsCoreOption {
  const { data, spec } = parts;
  const rows = { ...parts, data: { ...data, labels: data.series.map(({ name }) => name) } };
  return describeCategories(rows, spec.y_title, true);
}

/** The two axes of a chart. */
export function listAxes(parts: ChartParts): { xAxis: EChartsCoreOption; yAxis: EChartsCoreOption } {
  const { spec } = parts;
  const { x_title: xTitle, y_title: yTitle } = spec;
  if (spec.type === 'heatmap') return { xAxis: describeCategories(parts, xTitle, false), yAxis: describeHeatRows(parts) };
  if (spec.type === 'scatter') {
    return { xAxis: describeNumbers(parts, xTitle, false), yAxis: describeNumbers(parts, yTitle, true) };
  }
  if (spec.horizontal && spec.type === 'bar') {
    return { xAxis: describeNumbers(parts, yTitle, false), yAxis: describeCategories(parts, xTitle, true) };
  }
  return { xAxis: describeCategories(parts, xTitle, false), yAxis: describeNumbers(parts, yTitle, true) };
}
