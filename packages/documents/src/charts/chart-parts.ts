import type { ChartData, ChartInk, ChartLook, ChartSpec } from './chart-spec.ts';

/** Everything the parts of an option are made from. */
export interface ChartParts {
  spec: ChartSpec;
  data: ChartData;
  look: ChartLook;
  ink: ChartInk;
}

export function isRound({ type }: ChartSpec): boolean {
  return type === 'pie' || type === 'donut';
}

/** Whether the lines of a chart have their names at their ends, in place of a legend. */
export function namesEnds({ spec, data }: ChartParts): boolean {
  const names = data.series.map(({ name }) => name).filter((name) => name !== '');
  return spec.type === 'line' && !spec.stacked && names.length > 1 && names.length <= 6 && data.labels.length > 1;
}

export function hasAxes(spec: ChartSpec): boolean {
  return !isRound(spec) && spec.type !== 'radar' && spec.type !== 'map';
}
