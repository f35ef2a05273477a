import type { EChartsCoreOption } from 'echarts/core';
import { fontFamily } from '../fonts/font-files.ts';
import type { ChartParts } from './chart-parts.ts';
import { addUnit, formatShort } from './number-format.ts';

/** The look of the numbers in a chart. */
export function labelStyle({ look, ink }: ChartParts): EChartsCoreOption {
  return { color: ink.text, fontSize: 13 * look.scale, fontFamily };
}

/** A number with its unit; empty for a gap. */
export function writeValue({ spec }: ChartParts, value: unknown): string {
  return typeof value === 'number' ? addUnit(formatShort(value), spec.unit) : '';
}
