import { coverText } from '../fonts/font-coverage.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';
import { loadChartData } from './chart-data.ts';
import { drawChart } from './chart-drawing.ts';
import { recordChart } from './chart-record.ts';
import type { ChartData, ChartLook, ChartSpec } from './chart-spec.ts';
import { embedFont } from './chart-font.ts';
import { readLook } from './chart-look.ts';

export interface ChartJob {
  path: string;
  format: 'png' | 'svg';
  spec: ChartSpec;
  width: number;
  height: number;
  /** `light`, `dark`, `brand`, or a theme of the design kit. */
  theme: string;
  /** What the theme `brand` begins with, and the style sheet that comes after it. */
  brand?: { theme: string; styles: string };
  colors: readonly string[];
  /** The fonts of the brand, by family. */
  fonts?: ReadonlyMap<string, Uint8Array>;
  /** Scale of texts and lines; 1 for a chart on a page. */
  scale: number;
}

/** Pixels per unit: charts stay sharp on high-density screens. */
const zoom = 2;

/** Every text that a chart shows. */
export function listChartTexts(spec: ChartSpec, { labels, series }: ChartData): string {
  const own = [spec.title, spec.subtitle, spec.x_title, spec.y_title, spec.unit];
  return [
    ...own,
    ...spec.references.map(({ label }) => label),
    ...spec.annotations.map(({ text }) => text),
    ...labels,
    ...series.map(({ name }) => name),
  ].join('\n');
}

export async function makeChart(job: ChartJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const { spec, width, height, scale } = job;
  const data = await loadChartData(spec, readFile);
  const own = await readLook(job.theme, job.brand);
  const look: ChartLook = { ...own, width, height, scale, colors: [...job.colors, ...own.colors] };
  const svg = drawChart(spec, data, look);
  if (job.format === 'svg') {
    const recorded = recordChart(svg, spec, data, job.colors, look.ink);
    const dressed = await embedFont(recorded, look.family, listChartTexts(spec, data), job.fonts);
    return { files: [{ path: job.path, bytes: Buffer.from(dressed) }], notes: [] };
  }
  const remedy = 'Write them in other letters, or make an .svg, which the fonts of its reader draw.';
  const { extraFiles, missing } = coverText(listChartTexts(spec, data), remedy);
  const notes = missing.length === 0 ? [] : [`No font has ${missing.slice(0, 10).join(' ')}; they are not drawn.`];
  return { files: [{ path: job.path, bytes: rasterSvg(svg, zoom, extraFiles) }], notes };
}
