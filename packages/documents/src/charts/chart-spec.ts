import { z } from 'zod';

export const chartTypes = ['bar', 'line', 'area', 'pie', 'donut', 'scatter', 'heatmap', 'radar', 'waterfall', 'map'] as const;
/** How a diagram places its boxes. */
export const diagramLayouts = ['dot', 'neato', 'circo', 'twopi', 'fdp'] as const;
const orders = ['none', 'ascending', 'descending'] as const;
export type ChartType = (typeof chartTypes)[number];

const mostLabels = 2_000;
const mostSeries = 40;

const value = z.number().nullable();
const name = z.string().max(200);

const series = z
  .strictObject({
    name: name.default(''),
    values: z.array(value).max(mostLabels).optional().describe('One for each label; null leaves a gap.'),
    points: z
      .array(z.tuple([z.number(), z.number()]))
      .max(20_000)
      .optional()
      .describe('For scatter: pairs [x, y], in place of values.'),
  })
  .meta({ disclosure: 'briefly' })
  .describe('{name, values, points: [x, y][]}');

/** A model's description of a chart; slides and spreadsheets use the same fields. */
export const chartFields = {
  type: z.enum(chartTypes),
  title: z.string().max(200).default(''),
  subtitle: z.string().max(300).default('').describe('Unit, period or source, in one line.').meta({ disclosure: 'later' }),
  labels: z.array(name).max(mostLabels).optional(),
  series: z.array(series).min(1).max(mostSeries).optional(),
  file: z.string().optional().describe('A csv file, with x and y its columns.').meta({ disclosure: 'bare' }),
  x: z.string().optional().describe('Column of the labels.').meta({ disclosure: 'bare' }),
  y: z.array(z.string()).min(1).max(mostSeries).optional().describe('Columns of the numbers.').meta({ disclosure: 'bare' }),
  group_by: z
    .string()
    .optional()
    .describe('With file: a column whose values become the series; then y names one column.')
    .meta({ disclosure: 'later' }),
  aggregate: z
    .enum(['none', 'sum', 'mean', 'count', 'min', 'max'])
    .default('none')
    .describe('With file: how rows of the same label become one number.')
    .meta({ disclosure: 'later' }),
  stacked: z.boolean().default(false).describe('Bars, lines or areas upon each other.').meta({ disclosure: 'later' }),
  horizontal: z.boolean().default(false).describe('Bars that lie; good for long labels.').meta({ disclosure: 'later' }),
  sort: z.enum(orders).default('none').describe('Labels by their sum.').meta({ disclosure: 'later' }),
  lines: z
    .array(name)
    .max(mostSeries)
    .default([])
    .describe('Names of series of a bar chart that are drawn as lines over the bars.')
    .meta({ disclosure: 'later' }),
  references: z
    .array(z.strictObject({ value: z.number(), label: name.default('') }))
    .max(6)
    .default([])
    .describe('Lines across bars, lines, areas, points: a target, an average.')
    .meta({ disclosure: 'later' }),
  annotations: z
    .array(z.strictObject({ at: name, text: z.string().min(1).max(120), series: name.default('') }))
    .max(8)
    .default([])
    .describe('Words at the point of a label: what happened there. series: which one, if there are several.')
    .meta({ disclosure: 'later' }),
  panels: z
    .boolean()
    .default(false)
    .describe('Each series of bars, lines, or areas in a panel of its own, on one scale.')
    .meta({ disclosure: 'later' }),
  x_title: z.string().max(100).default('').describe('What the x axis shows.').meta({ disclosure: 'later' }),
  y_title: z.string().max(100).default('').describe('What the y axis shows.').meta({ disclosure: 'later' }),
  unit: z.string().max(12).default('').describe('Put to every number: "%", "kg".').meta({ disclosure: 'later' }),
};

export const chartSpec = z.strictObject(chartFields);
export type ChartSpec = z.infer<typeof chartSpec>;

export interface ChartSeries {
  name: string;
  values: (number | null)[];
  points: [number, number][];
}

/** Complete data: every series has a value for each label, or points. */
export interface ChartData {
  labels: string[];
  series: ChartSeries[];
}

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

/** Colors of texts and lines, `#rrggbb`. */
export interface ChartInk {
  text: string;
  muted: string;
  line: string;
  /** The color behind the chart, also used for gaps between pieces. */
  ground: string;
  good: string;
  bad: string;
}

/** The appearance of a chart, independent of its content. */
export interface ChartLook {
  width: number;
  height: number;
  theme: ChartTheme;
  /** Colors of the series, `#rrggbb`. */
  colors: readonly string[];
  /** Null for a transparent background. */
  background: string | null;
  /** Colors of texts and lines; without them those of the theme. */
  ink?: ChartInk;
  /** Preferred font family; fonts that every reader has are the fallback. */
  family?: string;
  /** Scale of texts and lines, 1 for a chart on a page. */
  scale: number;
}
