import { Fault } from '@errand/base/fault.ts';
import { type ChartRecord, findChartRecord, readChartRecord } from '../charts/chart-record.ts';
import { cleanLine } from '../clean-text.ts';
import type { GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { type NativeChart, planNativeChart } from '../charts/native-chart.ts';
import { type DeckChart, type DeckPicture, packDeck } from './deck-package.ts';
import { type PageDeck, pageDeckSpec, type PagePicture } from './page-deck-spec.ts';

export interface PageDeckJob {
  /** Where the presentation goes. */
  path: string;
  /** The slides as data, as the press read them. */
  data: string;
}

const mostPictureBytes = 200 * 1024 * 1024;

function parseDeck(bytes: Uint8Array): PageDeck {
  try {
    return pageDeckSpec.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch (cause) {
    throw new Fault('invalid_argument', 'page: its slides hold more than a deck can. Make them simpler.', { cause });
  }
}

/** The browser writes its pictures in two formats. */
function readPicture(bytes: Uint8Array): DeckPicture {
  const isPng = Buffer.from(bytes.subarray(1, 4)).toString('latin1') === 'PNG';
  return { bytes, format: isPng ? 'png' : 'jpg' };
}

const mostChartBytes = 5 * 1024 * 1024;

/** The workbook in which an office edits the numbers of a chart. */
async function writeNumbers({ labels }: ChartRecord, { series }: NativeChart): Promise<Uint8Array> {
  const head = ['', ...series.map(({ name }, at) => cleanLine(name) || `Series ${at + 1}`)];
  const rows = labels.map((label, at) => [cleanLine(label), ...series.map(({ values }) => values[at] ?? null)]);
  const { writeXlsx } = await import('hucre/xlsx');
  return writeXlsx({ sheets: [{ name: 'Sheet1', rows: [head, ...rows] }] });
}

/** What a picture was made from: a drawing in the page, or a file of `make_chart`, says so. */
async function readRecord({ chart, source }: PagePicture, readFile: ReadFile): Promise<ChartRecord | null> {
  if (chart !== '') return readChartRecord(chart);
  if (!/\.svg$/i.test(source)) return null;
  // The picture is shown anyway.
  const bytes = await readFile(source).catch(() => null);
  const json = bytes === null || bytes.length > mostChartBytes ? null : findChartRecord(Buffer.from(bytes).toString());
  return json === null ? null : readChartRecord(json);
}

async function readCharts({ slides }: PageDeck, readFile: ReadFile): Promise<Map<string, DeckChart>> {
  const charts = new Map<string, DeckChart>();
  for (const element of slides.flatMap(({ elements }) => elements)) {
    const record = element.kind === 'picture' ? await readRecord(element, readFile) : null;
    const plan = record && planNativeChart(record.spec, record);
    if (element.kind !== 'picture' || !plan) continue;
    charts.set(element.path, { record, workbook: await writeNumbers(record, plan) });
  }
  return charts;
}

async function readPictures(
  { slides }: PageDeck,
  charts: ReadonlyMap<string, DeckChart>,
  readFile: ReadFile,
): Promise<Map<string, DeckPicture>> {
  const elements = slides.flatMap((slide) => slide.elements);
  const shown = elements.map((one) => (one.kind === 'picture' && !charts.has(one.path) ? one.path : null));
  const paths = [...slides.map((slide) => slide.groundPicture), ...shown];
  const pictures = new Map<string, DeckPicture>();
  let bytes = 0;
  for (const path of new Set(paths)) {
    if (path === null) continue;
    const picture = readPicture(await readFile(path));
    bytes += picture.bytes.length;
    if (bytes > mostPictureBytes) throw new Fault('invalid_argument', 'page: its pictures are too large together.');
    pictures.set(path, picture);
  }
  return pictures;
}

function countSlides({ slides }: PageDeck): string {
  return `${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`;
}

/** Makes a PowerPoint file of slides that the browser laid out. */
export async function makePageDeck(
  { path, data }: PageDeckJob,
  readFile: ReadFile,
  report: ReportProgress,
): Promise<GeneratorOutcome> {
  const deck = parseDeck(await readFile(data));
  report(`Writing ${path}.`);
  const charts = await readCharts(deck, readFile);
  const bytes = packDeck(deck, { charts, pictures: await readPictures(deck, charts, readFile) });
  const fonts = [...new Set([deck.fonts.head, deck.fonts.text])].join(' and ');
  return { files: [{ path, bytes }], notes: [`${countSlides(deck)}, set in ${fonts}; text, tables, and charts can be edited.`] };
}
