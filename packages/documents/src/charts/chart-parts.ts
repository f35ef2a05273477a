import type { ChartData, ChartLook, ChartSpec } from './chart-spec.ts';

/** Everything the parts of an option are made from. */
export interface ChartParts {
  spec: ChartSpec;
  data: ChartData;
  look: ChartLook;
  ink: Ink;
}

export interface Ink {
  text: string;
  muted: string;
  line: string;
  /** The color behind the chart, also used for gaps between pieces. */
  ground: string;
}

export function isRound({ type }: ChartSpec): boolean {
  return type === 'pie' || type === 'donut';
}

export function hasAxes(spec: ChartSpec): boolean {
  return !isRound(spec) && spec.type !== 'radar';
}
