import { z } from 'zod';
import { chartFields, chartThemes } from '../makers/chart/chart-spec.ts';
import type { Makers } from '../makers/maker-threads.ts';
import { makeFiles, readFormat } from './file-making.ts';
import { defineTool, type Tool } from './tool.ts';

const side = z.int().min(200).max(2_400);

const input = z.strictObject({
  path: z.string().describe('Where the picture goes, for example "charts/sales.png"; .png or .svg.'),
  ...chartFields,
  width: side.default(960).describe('In units; a PNG has twice as many pixels.'),
  height: side.default(540).describe('As width.'),
  theme: z.enum(chartThemes).default('light').describe('dark for a dark page.'),
  colors: z
    .array(z.string().regex(/^#[0-9a-f]{6}$/i, 'must look like "#2563eb"'))
    .max(20)
    .default([])
    .describe('Colours of the series, such as "#2563eb". Default: ones that can be told apart.'),
});

export function createMakeChart(makers: Makers): Tool {
  return defineTool({
    name: 'make_chart',
    description: `Draws a chart as a picture (PNG or SVG) in the workspace, from numbers in the call or from a csv file.
Prefer a file where there is one: the numbers need not be copied. Say in the title what the chart shows, and name the unit.
Up to 2,000 labels and 40 series; slices beyond 9 become "Other". For a chart inside a deck or a spreadsheet use their own chart fields.
Examples: {"path": "a.png", "type": "bar", "title": "Sales doubled", "labels": ["2024", "2025"], "series": [{"name": "Sales", "values": [1.2, 2.4]}], "unit": " M€"};
{"path": "b.png", "type": "line", "file": "sales.csv", "x": "Month", "y": ["Revenue"], "group_by": "Region", "aggregate": "sum"}.`,
    input,
    effect: 'retry',
    account: ({ path, title }) => ({ brief: `Drawing ${title || path}`, action: 'Drawing chart', param: path }),
    run({ path, width, height, theme, colors, ...spec }, context) {
      return makeFiles(
        makers,
        'chart',
        { path, format: readFormat(path, ['png', 'svg']), spec, width, height, theme, colors },
        context,
      );
    },
  });
}
