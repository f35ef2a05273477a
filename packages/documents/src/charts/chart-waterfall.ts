import type { EChartsCoreOption } from 'echarts/core';
import { looksAlike, mixColors } from '@errand/base/text/colors.ts';
import { labelStyle, outlined, writeValue } from './chart-labels.ts';
import type { ChartParts } from './chart-parts.ts';

interface Step {
  start: number;
  change: number;
  /** The sum so far, from zero. */
  isTotal: boolean;
}

/** Whether the last of several values is the sum of those before it, given as a number: a step that doubles it would be a rare accident. */
function isClosingSum(value: number, at: number, count: number, sum: number): boolean {
  return at >= 2 && at === count - 1 && Math.abs(value - sum) < 1e-9 * Math.max(1, Math.abs(sum));
}

/** What each bar begins at and adds. A value that is null stands for the sum so far, and the first one for an opening sum. */
export function listSteps(values: readonly (number | null)[]): Step[] {
  let sum = 0;
  return values.map((value, at) => {
    if (value === null || isClosingSum(value, at, values.length, sum)) return { start: 0, change: sum, isTotal: true };
    const start = sum;
    sum += value;
    return { start, change: value, isTotal: at === 0 };
  });
}

/** The color of sums, which is not that of a gain or a loss, as it would be in a green brand. */
function colorSums({ look, ink }: ChartParts): string {
  const [own = ink.text] = look.colors;
  return [ink.good, ink.bad].some((tone) => looksAlike(own, tone)) ? mixColors(ink.text, ink.ground, 0.75) : own;
}

/** Bars that begin where the one before them ended: the way from one sum to another. */
export function describeWaterfall(parts: ChartParts): EChartsCoreOption[] {
  const { data, look, ink } = parts;
  const steps = listSteps(data.series[0]?.values ?? []);
  const usual = { type: 'bar', stack: 'steps', stackStrategy: 'all', barMaxWidth: 72 * look.scale, barCategoryGap: '32%' };
  const write = ({ change, isTotal }: Step) => `${change > 0 && !isTotal ? '+' : ''}${writeValue(parts, change)}`;
  const sums = colorSums(parts);
  const bars = steps.map((step) => {
    const position = step.change < 0 ? 'bottom' : 'top';
    const color = step.isTotal ? sums : step.change < 0 ? ink.bad : ink.good;
    return {
      value: step.change,
      itemStyle: { color, borderRadius: 2 * look.scale },
      label: { position, formatter: write(step) },
    };
  });
  const base = { ...usual, data: steps.map(({ start }) => start), itemStyle: { color: 'transparent' } };
  return [base, { ...usual, data: bars, label: { ...labelStyle(parts), ...outlined(parts), show: steps.length <= 24 } }];
}
