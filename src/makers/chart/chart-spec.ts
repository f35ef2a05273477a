import { z } from 'zod';

export const chartTypes = ['bar', 'line', 'area', 'pie', 'donut', 'scatter', 'heatmap', 'radar'] as const;
export type ChartType = (typeof chartTypes)[number];

const mostLabels = 2_000;
const mostSeries = 40;

const value = z.number().nullable();
const name = z.string().max(200);

const series = z.strictObject({
  name: name.default(''),
  values: z.array(value).max(mostLabels).optional().describe('One number for each label; null leaves a gap.'),
  points: z
    .array(z.tuple([z.number(), z.number()]))
    .max(20_000)
    .optional()
    .describe('For scatter: pairs [x, y].'),
});

/** What a model says of a chart; slides and spreadsheets use the same fields. */
export const chartFields = {
  type: z
    .enum(chartTypes)
    .describe(
      'bar compares, line and area show a course, pie and donut parts of a whole, scatter how two numbers hang together.',
    ),
  title: z.string().max(200).default('').describe('What the chart says, as a headline.'),
  subtitle: z.string().max(300).default('').describe('Unit, period or source, in one line.'),
  labels: z.array(name).max(mostLabels).optional().describe('The categories, or the columns of a heatmap.'),
  series: z.array(series).min(1).max(mostSeries).optional().describe('The numbers; pie and donut take one series.'),
  file: z.string().optional().describe('A csv file of the workspace to take the data from, instead of labels and series.'),
  x: z.string().optional().describe('With file: the column of the labels (of the x values for scatter). Default: the first.'),
  y: z
    .array(z.string())
    .min(1)
    .max(mostSeries)
    .optional()
    .describe('With file: the columns of the numbers. Default: all that hold numbers.'),
  group_by: z.string().optional().describe('With file: a column whose values become the series; then y names one column.'),
  aggregate: z
    .enum(['none', 'sum', 'mean', 'count', 'min', 'max'])
    .default('none')
    .describe('With file: how rows of the same label become one number.'),
  stacked: z.boolean().default(false).describe('Bars, lines or areas upon each other.'),
  horizontal: z.boolean().default(false).describe('Bars that lie; good for long labels.'),
  x_title: z.string().max(100).default('').describe('What the x axis shows.'),
  y_title: z.string().max(100).default('').describe('What the y axis shows.'),
  unit: z.string().max(12).default('').describe('Put to every number: "€", "%", " kg".'),
};

export const chartSpec = z.strictObject(chartFields);
export type ChartSpec = z.infer<typeof chartSpec>;

export interface ChartSeries {
  name: string;
  values: (number | null)[];
  points: [number, number][];
}

/** Data that is complete: every series has a value for each label, or points. */
export interface ChartData {
  labels: string[];
  series: ChartSeries[];
}

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

/** How a chart looks, apart from what it says. */
export interface ChartLook {
  width: number;
  height: number;
  theme: ChartTheme;
  /** Colours of the series, `#rrggbb`. */
  colors: readonly string[];
  /** Null draws on nothing. */
  background: string | null;
  /** Sizes of texts and lines, 1 for a chart that is read on a page. */
  scale: number;
}
