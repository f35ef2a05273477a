import type { EChartsCoreOption } from 'echarts/core';
import { fontFamily } from '../fonts/font-files.ts';
import { textWidth } from '../fonts/text-width.ts';
import type { ChartParts } from './chart-parts.ts';
import type { ChartSeries } from './chart-spec.ts';
import { addUnit, countDecimals, formatNumber, formatShort } from './number-format.ts';

/** The font of a text of a chart, in a size on paper. */
export function fontOf({ look }: Pick<ChartParts, 'look'>, size: number): { fontSize: number; fontFamily: string } {
  // In single quotes, because the drawing has double ones around it.
  const own = look.family === undefined ? '' : `'${look.family.replaceAll(/[^\p{L}\p{N} -]/gu, '')}', `;
  return { fontSize: size * look.scale, fontFamily: `${own}${fontFamily}` };
}

/** The look of the numbers in a chart. */
export function labelStyle(parts: ChartParts): EChartsCoreOption {
  return { color: parts.ink.text, ...fontOf(parts, 13) };
}

/** A text that can be read on lines and bars. */
export function outlined({ look, ink }: ChartParts): EChartsCoreOption {
  return { textBorderColor: ink.ground, textBorderWidth: 3 * look.scale };
}

/** A number with its unit; empty for a gap. */
export function writeValue({ spec }: ChartParts, value: unknown): string {
  return typeof value === 'number' ? addUnit(formatShort(value), spec.unit) : '';
}

/** The series that are drawn as bars. */
function listBars({ spec, data }: ChartParts): ChartSeries[] {
  return data.series.filter(({ name }) => !spec.lines.includes(name));
}

/** The numbers at the bars of a chart are all in full with equal decimals, or all short. */
export function writeBarValue(parts: ChartParts, value: unknown): string {
  if (typeof value !== 'number') return '';
  return writeAmong(
    parts,
    value,
    listBars(parts).flatMap(({ values }) => values.filter((each) => each !== null)),
  );
}

/** A number with its unit, with as many decimals as all of these numbers have. */
export function writeAmong(parts: ChartParts, value: number, all: readonly number[]): string {
  const decimals = countDecimals(all);
  return decimals === null ? writeValue(parts, value) : addUnit(formatNumber(value, decimals, decimals), parts.spec.unit);
}

/** Width reserved for the axes, where no bars are drawn. */
const axisSpace = 100;
/** The same where bars have numbers in place of an axis. */
const marginSpace = 40;
/** The part of the space of a label that its bars take, and the part of a bar between two of them. */
export const barPart = 0.68;
export const barGap = 0.08;

/** Whether the numbers at bars stand clear of the bars and numbers next to them. */
function fitsBars(parts: ChartParts): boolean {
  const { spec, data, look } = parts;
  const groups = listBars(parts);
  const isSingle = groups.length < 2;
  const size = 13 * look.scale;
  const space = (spec.horizontal ? look.height : look.width) - (isSingle ? marginSpace : axisSpace) * look.scale;
  const part = isSingle ? 1 : (barPart / (groups.length * (1 + barGap) - barGap)) * (1 + barGap);
  const pitch = (space / data.labels.length) * part;
  if (spec.horizontal) return pitch >= size;
  const texts = groups.flatMap(({ values }) => values.map((value) => writeBarValue(parts, value)));
  return texts.every((text) => textWidth(text) * size <= pitch);
}

/** The most stacks whose sums can be read side by side. */
const mostSums = 12;

/** The sum of each stack; null if a part is below zero, the sums are all alike, or there are too many. */
export function sumStacks(chart: ChartParts): number[] | null {
  const { spec, data } = chart;
  const parts = listBars(chart);
  const isPlain = spec.type === 'bar' && spec.stacked && spec.lines.length === 0 && parts.length > 1;
  if (!isPlain || data.labels.length > mostSums || parts.some(({ values }) => values.some((value) => (value ?? 0) < 0)))
    return null;
  const sums = data.labels.map((_, at) => parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return sums.some((sum) => Math.abs(sum - (sums[0] ?? 0)) > 1e-9) ? sums : null;
}

/** Whether bars have their numbers: as many as can be read. */
export function labelsBars(parts: ChartParts): boolean {
  const { spec, data } = parts;
  return spec.type === 'bar' && !spec.stacked && data.labels.length * data.series.length <= 16 && fitsBars(parts);
}
