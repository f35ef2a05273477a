import type { EChartsCoreOption } from 'echarts/core';
import { fontFamily } from '../fonts/font-files.ts';
import type { ChartParts } from './chart-parts.ts';
import { addUnit, formatShort } from './number-format.ts';

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

/** A number with its unit; empty for a gap. */
export function writeValue({ spec }: ChartParts, value: unknown): string {
  return typeof value === 'number' ? addUnit(formatShort(value), spec.unit) : '';
}
