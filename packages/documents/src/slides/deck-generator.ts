import { invalidField } from '@errand/base/fault.ts';
import { cleanLine, cleanText } from '../clean-text.ts';
import { loadChartData } from '../charts/chart-data.ts';
import type { ChartSpec } from '../charts/chart-spec.ts';
import type { MadeFile, GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { type Picture, readPicture } from '../pictures/picture-file.ts';
import type { Scene } from './deck-scene.ts';
import type { DeckSpec, SlideSpec } from './deck-spec.ts';
import { chooseTheme } from './deck-themes.ts';
import { laySlide } from './slide-layouts.ts';

export interface DeckJob {
  files: { path: string; format: 'html' | 'pptx' }[];
  deck: DeckSpec;
  language: string;
}

const mostPictures = 100;

async function readPictures(deck: DeckSpec, readFile: ReadFile): Promise<Map<string, Picture>> {
  const named = deck.slides.flatMap(({ image, columns = [] }) => [image, ...columns.map((column) => column.image)]);
  const paths = new Set(named.filter((path) => path !== undefined));
  if (paths.size > mostPictures) throw invalidField('slides', `show more than ${mostPictures} pictures.`);
  const pictures = new Map<string, Picture>();
  for (const path of paths) pictures.set(path, await readPicture(await readFile(path), path, 1_600));
  return pictures;
}

/** Texts of a chart are used in foreign formats too, so they are cleaned here. */
function cleanChart(chart: ChartSpec): ChartSpec {
  const clean = (text: string) => cleanText(text);
  const { title, subtitle, x_title: xTitle, y_title: yTitle, unit, labels, series } = chart;
  return {
    ...chart,
    ...{ title: clean(title), subtitle: clean(subtitle), x_title: clean(xTitle), y_title: clean(yTitle), unit: clean(unit) },
    ...(labels ? { labels: labels.map(clean) } : {}),
    ...(series ? { series: series.map((one) => ({ ...one, name: clean(one.name) })) } : {}),
  };
}

function cleanSlide(slide: SlideSpec): SlideSpec {
  const { notes, chart } = slide;
  return {
    ...slide,
    title: cleanText(slide.title),
    ...(notes === undefined ? {} : { notes: cleanText(notes) }),
    ...(chart ? { chart: cleanChart(chart) } : {}),
  };
}

async function loadSlideChart(slide: SlideSpec, index: number, readFile: ReadFile) {
  if (slide.layout !== 'chart' || !slide.chart) return null;
  try {
    return await loadChartData(slide.chart, readFile);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'invalid_argument') {
      throw invalidField(`slides.${index}.chart`, error.message);
    }
    throw error;
  }
}

async function layDeck(deck: DeckSpec, readFile: ReadFile): Promise<Scene[]> {
  const pictures = await readPictures(deck, readFile);
  const theme = chooseTheme(deck);
  const scenes: Scene[] = [];
  for (const [index, spec] of deck.slides.entries()) {
    const slide = cleanSlide(spec);
    const chartData = await loadSlideChart(slide, index, readFile);
    const picture = (path: string): Picture => {
      const known = pictures.get(path);
      if (!known) throw new Error('A picture was not loaded.');
      return known;
    };
    scenes.push(laySlide({ deck, slide, index, theme, picture, chartData }));
  }
  return scenes;
}

/** Creates one deck in the requested forms; both show the same. */
export async function makeDeck(
  { files, deck: spec, language }: DeckJob,
  readFile: ReadFile,
  report: ReportProgress,
): Promise<GeneratorOutcome> {
  const title = cleanLine(spec.title || (spec.slides[0]?.title ?? ''));
  const deck = { ...spec, title };
  const scenes = await layDeck(deck, readFile);
  const theme = chooseTheme(deck);
  const made: MadeFile[] = [];
  for (const { path, format } of files) {
    report(`Drawing ${path}.`);
    if (format === 'html') {
      const { makeDeckPage } = await import('./deck-html.ts');
      made.push({ path, bytes: makeDeckPage(title || 'Slides', language, scenes, theme) });
    } else {
      const { makeDeckPptx } = await import('./deck-pptx.ts');
      made.push({ path, bytes: await makeDeckPptx(title || 'Slides', cleanLine(deck.author), scenes, theme, language) });
    }
  }
  return { files: made, notes: [`${scenes.length} slides.`] };
}
