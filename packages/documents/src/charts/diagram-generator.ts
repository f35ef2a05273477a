import { invalidField } from '@errand/base/fault.ts';
import { mixColors } from '@errand/base/text/colors.ts';
import { fontFamily } from '../fonts/font-files.ts';
import { coverText } from '../fonts/font-coverage.ts';
import type { GeneratorOutcome } from '../generator-outcome.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { embedFont } from './chart-font.ts';
import type { ChartJob } from './chart-generator.ts';
import { readLook } from './chart-look.ts';
import type { ChartInk, diagramLayouts } from './chart-spec.ts';

export interface DiagramJob extends Pick<ChartJob, 'path' | 'format' | 'theme' | 'brand' | 'fonts'> {
  /** Source in the DOT language. */
  source: string;
  layout: (typeof diagramLayouts)[number];
}

/** A font whose widths the library knows; those of themes are at most a little wider. */
const measured = 'Arial';
const plainInk: ChartInk = {
  ...{ text: '#0f172a', muted: '#64748b', line: '#cbd5e1', ground: '#ffffff', good: '#0a7346', bad: '#b3261e' },
};
const zoom = 2;

function listDefaults(ink: ChartInk, accent: string) {
  const text = { fontname: measured, fontcolor: ink.text, fontsize: 13 };
  const fill = mixColors(accent, ink.ground, 0.1);
  return {
    graphAttributes: { ...text, bgcolor: 'transparent', color: ink.line, pad: 0.1, nodesep: 0.35, ranksep: 0.5 },
    nodeAttributes: {
      ...text,
      shape: 'box',
      style: 'rounded,filled',
      color: accent,
      fillcolor: fill,
      margin: '0.24,0.13',
      penwidth: 1.2,
    },
    edgeAttributes: { ...text, fontsize: 11, fontcolor: ink.muted, color: ink.muted, arrowsize: 0.7, penwidth: 1.2 },
  };
}

/** Links and pictures of a graph lead out of it, and what stands before the drawing could name a style sheet. */
function closeDrawing(svg: string, family: string | undefined): string {
  const own = family === undefined ? fontFamily : `'${family.replaceAll(/[^\p{L}\p{N} -]/gu, '')}', ${fontFamily}`;
  return svg
    .slice(Math.max(svg.indexOf('<svg'), 0))
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<\/?a(?:\s[^>]*)?>/g, '')
    .replaceAll(/<image\b[^>]*>(?:<\/image>)?/g, '')
    .replaceAll(/ xlink:(?:href|title)="[^"]*"/g, '')
    .replaceAll(`font-family="${measured}"`, `font-family="${own}"`)
    .replace(/<svg ([^>]*)>/, (start) => `${start}<metadata></metadata>`);
}

/** A picture of a graph that is written as text: boxes and arrows, placed by Graphviz. */
export async function makeDiagram(job: DiagramJob): Promise<GeneratorOutcome> {
  const { instance } = await import('@viz-js/viz');
  const look = await readLook(job.theme, job.brand);
  const ink = look.ink ?? { ...plainInk, ...(look.theme === 'dark' && { text: '#f1f5f9', muted: '#94a3b8', ground: '#0f172a' }) };
  const viz = await instance();
  const drawn = viz.render(job.source, { format: 'svg', engine: job.layout, ...listDefaults(ink, look.colors[0] ?? ink.text) });
  if (drawn.status === 'failure') {
    const said = drawn.errors.map(({ message }) => message).join('; ');
    throw invalidField('source', `cannot be drawn: ${said.slice(0, 400)}. Write a graph such as "digraph { a -> b }".`);
  }
  const svg = closeDrawing(drawn.output, look.family);
  const texts = [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text ?? '').join('\n');
  if (job.format === 'svg') {
    const dressed = await embedFont(svg, look.family, texts, job.fonts);
    return { files: [{ path: job.path, bytes: Buffer.from(dressed) }], notes: [] };
  }
  const { extraFiles, missing } = coverText(texts, 'Write them in other letters.');
  const notes = missing.length === 0 ? [] : [`No font has ${missing.slice(0, 10).join(' ')}; they are not drawn.`];
  return { files: [{ path: job.path, bytes: rasterSvg(svg, zoom, extraFiles) }], notes };
}
