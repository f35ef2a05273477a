import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { chartFields, chartThemes, chartTypes, diagramLayouts } from '@errand/documents/chart-spec';
import type { Generators } from '@errand/documents';
import { brandTheme, kitThemes } from '@errand/documents/kit';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Brand } from '../../rules/brands/brand.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import { lookOf, readTextFont } from '../brands/task-brand.ts';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const side = z.int().min(200).max(2_400);

const input = z.strictObject({
  path: z.string(),
  ...chartFields,
  type: z.enum([...chartTypes, 'diagram']),
  source: z
    .string()
    .max(50_000)
    .optional()
    .describe(
      'For diagram: boxes and arrows in the DOT language, "digraph { order -> invoice }". Else where the numbers are from.',
    )
    .meta({ disclosure: 'later' }),
  layout: z.enum(diagramLayouts).default('dot').describe('For diagram; dot: in ranks.').meta({ disclosure: 'later' }),
  width: side
    .optional()
    .describe('In units; a PNG has twice as many pixels. Default: 960, with a theme of design-kit 720, which fits its pages.')
    .meta({ disclosure: 'later' }),
  height: side.optional().describe('Default: 540, with such a theme 400.').meta({ disclosure: 'later' }),
  theme: z
    .enum([...chartThemes, ...kitThemes, brandTheme])
    .default('light')
    .describe('As the page: dark, or a theme of the skill design-kit, on its own ground.')
    .meta({ disclosure: 'later' }),
  scale: z
    .number()
    .min(0.5)
    .max(3)
    .default(1)
    .describe('Of texts and lines: 1.5 at width 760 for a slide.')
    .meta({ disclosure: 'later' }),
  colors: z
    .array(z.string().regex(/^#[0-9a-f]{6}$/i, 'must look like "#2563eb"'))
    .max(20)
    .default([])
    .describe('Colours of the series, such as "#2563eb". Default: ones that can be told apart.')
    .meta({ disclosure: 'later' }),
});

/** What series have in charts of a brand. */
function chartColors({ colors: { accent, chart } }: Brand): readonly string[] {
  if (chart.length > 0) return chart;
  return accent === undefined ? [] : [accent];
}

function readSource(source: string | undefined): string {
  if (source === undefined) throw invalidField('source', 'is missing: the graph, such as "digraph { order -> invoice }".');
  return source;
}

const longestSubtitle = 300;

/** Appends the source of the numbers to the subtitle. */
function nameSource(subtitle: string, source = ''): string {
  const line = [subtitle, source.trim()].filter((part) => part !== '').join(' · ');
  if (line.length <= longestSubtitle && !/[\r\n]/.test(source.trim())) return line;
  throw invalidField(
    'source',
    `must be one line of a chart that says where its numbers are from, or the graph of a diagram (type: "diagram").`,
  );
}

export function createMakeChart(generators: Generators): Tool {
  return defineTool({
    name: 'make_chart',
    description: 'Draws a chart (.png, .svg) of series or of a csv, or a diagram.',
    input,
    effect: 'retry',
    summarize: ({ path, title }) => ({ brief: `Drawing ${title || path}`, action: 'Drawing chart', param: path }),
    async run({ path, width, height, theme, scale, colors: own, type, source, layout, ...rest }, context) {
      const isPlain = theme === 'light' || theme === 'dark';
      const isBranded = own.length === 0 && isPlain;
      const colors = isBranded && context.brand ? chartColors(context.brand.facts) : own;
      const brand = theme === brandTheme && context.brand ? lookOf(context.brand) : null;
      const size = { width: width ?? (isPlain ? 960 : 720), height: height ?? (isPlain ? 540 : 400) };
      const fonts = brand && context.brand ? await readTextFont(context.brand) : null;
      const form = { path, format: readFormat(path, ['png', 'svg']), theme, ...(brand && { brand }), ...(fonts && { fonts }) };
      const outcome =
        type === 'diagram'
          ? await makeFiles(generators, 'diagram', { ...form, source: readSource(source), layout }, context)
          : await makeFiles(
              generators,
              'chart',
              { ...form, spec: { ...rest, type, subtitle: nameSource(rest.subtitle, source) }, ...size, scale, colors },
              context,
            );
      const pictures = await showPicture(normaliseWorkspacePath(path), context);
      return { ...outcome, ...(pictures.length > 0 && { pictures }) };
    },
  });
}
