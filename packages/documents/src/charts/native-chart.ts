import type { ChartSpec } from './chart-spec.ts';
import { addUnit, formatShort } from './number-format.ts';
import { listSteps } from './chart-waterfall.ts';

const nativeTypes = ['bar', 'line', 'area', 'pie', 'donut', 'radar'] as const;
export type NativeType = (typeof nativeTypes)[number];

/** A series of a chart that an office draws itself. */
export interface NativeSeries {
  name: string;
  values: readonly (number | null)[];
  form: NativeType;
  /** The number of its color; otherwise what it means: nothing is seen of the ground that bars of a waterfall stand on. */
  paint: number | 'ground' | 'good' | 'bad' | 'reference';
}

/** A chart in terms that offices have. */
export interface NativeChart {
  type: NativeType;
  isStacked: boolean;
  isWaterfall: boolean;
  series: readonly NativeSeries[];
}

interface Numbers {
  labels: readonly string[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
}

const mostNumbers = 5_000;

/** A waterfall as bars upon bars that are not seen; null if it goes below zero, where those would lie across the axis. */
function planWaterfall({ series }: Numbers): NativeChart | null {
  const steps = listSteps(series[0]?.values ?? []);
  if (steps.some(({ start, change }) => start < 0 || start + change < 0)) return null;
  const list = (isOwn: (step: (typeof steps)[number]) => boolean) =>
    steps.map((step) => (isOwn(step) ? Math.abs(step.change) : null));
  const bars = [
    { name: 'Total', values: list(({ isTotal }) => isTotal), paint: 0 },
    { name: 'Increase', values: list(({ isTotal, change }) => !isTotal && change >= 0), paint: 'good' as const },
    { name: 'Decrease', values: list(({ isTotal, change }) => !isTotal && change < 0), paint: 'bad' as const },
  ];
  const ground = steps.map(({ start, change, isTotal }) => (isTotal ? 0 : Math.min(start, start + change)));
  const shown = bars.filter(({ values }) => values.some((value) => value !== null));
  return {
    ...{ type: 'bar', isStacked: true, isWaterfall: true },
    series: [{ name: 'Ground', values: ground, paint: 'ground' as const }, ...shown].map((one) => ({ ...one, form: 'bar' })),
  };
}

/** Lines across a chart are series that stay the same. */
function listReferences({ references, unit }: ChartSpec, { labels }: Numbers): NativeSeries[] {
  return references.map(({ value, label }) => ({
    name: [label, addUnit(formatShort(value), unit)].filter((part) => part !== '').join(' '),
    values: labels.map(() => value),
    form: 'line',
    paint: 'reference',
  }));
}

/** The chart as an office draws it itself; null for what only pictures show. */
export function planNativeChart(spec: ChartSpec, numbers: Numbers): NativeChart | null {
  const { labels, series } = numbers;
  if (labels.length === 0 || labels.length * series.length > mostNumbers) return null;
  if (spec.annotations.length > 0 || spec.panels) return null;
  const isPlain = spec.lines.length === 0 && spec.references.length === 0;
  if (spec.type === 'waterfall') return isPlain ? planWaterfall(numbers) : null;
  const type = nativeTypes.find((one) => one === spec.type);
  if (!type) return null;
  const takesLines = (type === 'bar' && !spec.horizontal) || ((type === 'line' || type === 'area') && !spec.stacked);
  if (!isPlain && !takesLines) return null;
  const own = series.map(({ name, values }, paint): NativeSeries => {
    const form = type === 'bar' && spec.lines.includes(name) ? 'line' : type;
    return { name, values, form, paint };
  });
  // Lines alone are a chart of lines.
  const isLines = own.every(({ form }) => form === 'line');
  return {
    ...{ type: isLines ? 'line' : type, isStacked: spec.stacked, isWaterfall: false },
    series: [...own, ...listReferences(spec, numbers)],
  };
}
