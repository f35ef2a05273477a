import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { chartFields, chartThemes, chartTypes, diagramLayouts } from '@errand/documents/chart-spec';
import type { GeneratorJobs, Generators } from '@errand/documents';
import type { Press } from '@errand/sandbox/press';
import { brandTheme, kitThemes } from '@errand/documents/kit';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Brand } from '../../rules/brands/brand.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import { lookOf, readTextFont } from '../brands/task-brand.ts';
import { makeFiles, readFormat, writeMade } from './file-generation.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';

/** A chart of a narrow column is wider than high. */
const leastHeight = 100;
const leastWidth = 200;
const mostUnits = 2_400;

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
  width: z
    .int()
    .min(leastWidth)
    .max(mostUnits)
    .optional()
    .describe('In units; a PNG has twice as many pixels. Default: 960, with a theme of design-kit 720, which fits its pages.')
    .meta({ disclosure: 'later' }),
  height: z
    .int()
    .min(leastHeight)
    .max(mostUnits)
    .optional()
    .describe('Default: 540, with such a theme 400.')
    .meta({ disclosure: 'later' }),
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

/** What the library that draws pictures without a browser cannot show on every machine. */
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

type DrawingJob = { kind: 'chart'; job: GeneratorJobs['chart'] } | { kind: 'diagram'; job: GeneratorJobs['diagram'] };

/** The PNG as the browser draws it; null if it cannot. */
async function makeByBrowser(
  generators: Generators,
  press: Press,
  { kind, job }: DrawingJob,
  context: ToolContext,
): Promise<ToolOutcome | null> {
  const { accountId: owner, workspace, signal } = context;
  const call = { owner, readFile: (path: string) => workspace.read(path), signal };
  const made =
    kind === 'chart'
      ? await generators.make(kind, { ...job, format: 'svg' }, call)
      : await generators.make(kind, { ...job, format: 'svg' }, call);
  const { photographDrawing } = await import('./drawing-press.ts');
  try {
    const bytes = await photographDrawing(press, Buffer.from(made.files[0]?.bytes ?? '').toString(), context);
    return await writeMade({ files: [{ path: job.path, bytes }], notes: made.notes }, context);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Fault && error.code === 'unavailable') return null;
    throw error;
  }
}

/** @param press draws PNGs in the fonts of themes; null on a machine without a browser */
export function createMakeChart(generators: Generators, press: Press | null = null): Tool {
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
      const drawing: DrawingJob =
        type === 'diagram'
          ? { kind: 'diagram', job: { ...form, source: readSource(source), layout } }
          : {
              kind: 'chart',
              job: { ...form, spec: { ...rest, type, subtitle: nameSource(rest.subtitle, source) }, ...size, scale, colors },
            };
      const needsBrowser = form.format === 'png' && (!isPlain || eastAsian.test(JSON.stringify([rest, source])));
      const byBrowser = press && needsBrowser ? await makeByBrowser(generators, press, drawing, context) : null;
      const outcome = byBrowser ?? (await makeFiles(generators, drawing.kind, drawing.job, context));
      const pictures = await showPicture(normaliseWorkspacePath(path), context);
      return { ...outcome, ...(pictures.length > 0 && { pictures }) };
    },
  });
}
