import { z } from 'zod';
import { escapeMarkup } from '../clean-text.ts';
import { type ChartData, chartFields, type ChartInk, type ChartSpec } from './chart-spec.ts';

const color = z.string().regex(/^(?:#[0-9a-f]{6}|chart-[1-6])$/i);

const tone = z.string().regex(/^#[0-9a-f]{6}$/i);

/** The fields of `make_chart`, with complete data. */
const recordSpec = z.object({
  ...chartFields,
  labels: z.array(z.string().max(1_000)).min(1).max(2_000),
  series: z
    .array(z.object({ name: z.string().max(1_000).default(''), values: z.array(z.number().nullable()).max(2_000) }))
    .min(1)
    .max(40),
  colors: z.array(color).max(40).default([]),
  good: tone.default('#2e7d4f'),
  bad: tone.default('#b3372f'),
});

/** What a chart was drawn from. */
export interface ChartRecord {
  spec: ChartSpec;
  labels: string[];
  series: { name: string; values: (number | null)[] }[];
  /** The requested colors: `#rrggbb`, or roles of the design kit. */
  colors: string[];
  /** Colors of increases (`good`) and decreases (`bad`), as `#rrggbb`. */
  good: string;
  bad: string;
}

const pattern = /<metadata id="errand-chart">([^<]*)<\/metadata>/;
const named: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Writes into a drawing what it was made from, so that a presentation can have the chart itself. */
export function recordChart(
  svg: string,
  spec: ChartSpec,
  { labels, series }: ChartData,
  colors: readonly string[],
  ink?: Pick<ChartInk, 'good' | 'bad'>,
): string {
  const { type, title, subtitle, x_title, y_title, unit, stacked, horizontal, lines, references, annotations, panels } = spec;
  const own = { type, title, subtitle, x_title, y_title, unit, stacked, horizontal, lines, references, annotations, panels };
  const record = {
    ...own,
    labels,
    series: series.map(({ name, values }) => ({ name, values })),
    colors,
    good: ink?.good,
    bad: ink?.bad,
  };
  const metadata = `<metadata id="errand-chart">${escapeMarkup(JSON.stringify(record))}</metadata>`;
  return svg.replace(/<svg [^>]*>/, (start) => `${start}${metadata}`);
}

/** What a drawing says that it was made from, as JSON; null if nothing. */
export function findChartRecord(svg: string): string | null {
  return pattern.exec(svg)?.[1]?.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (sign) => named[sign] ?? sign) ?? null;
}

/** Null for anything that does not describe a chart. */
export function readChartRecord(json: string): ChartRecord | null {
  try {
    const { labels, series, colors, good, bad, ...spec } = recordSpec.parse(JSON.parse(json));
    return { spec, labels, series, colors, good, bad };
  } catch {
    return null;
  }
}
