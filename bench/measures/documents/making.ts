import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '@errand/base/clock.ts';
import { chartSpec } from '@errand/documents/chart-spec';
import { createGenerators, type GeneratorJobs, type Generators } from '@errand/documents';
import type { Measure, Taken } from '../measure.ts';
import { median } from '../../report/statistics.ts';
import { takePages } from './page-making.ts';

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const chart = chartSpec.parse({
  type: 'bar',
  labels: months,
  series: [{ name: 'sales', values: months.map((_, at) => at * 7) }],
});
const paragraph = `${'A sentence of some length that says what happened in the year. '.repeat(6)}\n\n`;
const table = `| month | sales |\n|--|--:|\n${months.map((month, at) => `| ${month} | ${at * 7} |`).join('\n')}\n\n`;

function documentJob(format: 'pdf' | 'docx'): GeneratorJobs['document'] {
  const markdown = Array.from({ length: 10 }, (_, at) => `## Chapter ${at + 1}\n\n${paragraph.repeat(4)}${table}`).join('');
  const said = { title: 'Report', subtitle: '', author: 'Ada', date: '', language: 'en' };
  return { files: [{ path: 'a', format }], markdown, ...said, hasTitlePage: true, pageSize: 'A4', nowMs: 0 };
}

const slides = Array.from({ length: 10 }, (_, at) => {
  const title = `Slide ${at + 1}`;
  return at % 2 === 0 ? { layout: 'bullets' as const, title, bullets: months } : { layout: 'chart' as const, title, chart };
});
const rows = Array.from({ length: 5_000 }, (_, at) => [`row ${at}`, at, `=B${at + 2}*2`]);
const sheet = {
  name: 'Data',
  columns: ['a', 'b', 'c'].map((header) => ({ header, type: 'auto' as const })),
  rows,
  freeze: true,
  freeze_columns: 0,
  filter: true,
  ...{ title: '', subtitle: '', total_label: 'Total', strong: [] },
};
const look = { width: 960, height: 540, theme: 'light', scale: 1, colors: [] };
const deck = { title: 'Deck', author: '', date: '', theme: 'light' as const, slides };

/** What is made, with a description for the table. */
const wares: { [Kind in keyof GeneratorJobs]?: [name: string, job: GeneratorJobs[Kind]][] } = {
  chart: [['a chart as PNG', { path: 'a', format: 'png', spec: chart, ...look }]],
  document: [
    ['10 chapters as PDF', documentJob('pdf')],
    ['10 chapters as docx', documentJob('docx')],
  ],
  deck: [
    ['10 slides as HTML', { files: [{ path: 'a', format: 'html' }], deck, language: '' }],
    ['10 slides as PPTX', { files: [{ path: 'a', format: 'pptx' }], deck, language: '' }],
  ],
  sheets: [
    [
      '5,000 rows with formulas as xlsx',
      { files: [{ path: 'a', format: 'xlsx' }], workbook: { sheets: [sheet], names: [], title: '', author: '' }, nowMs: 0 },
    ],
  ],
};

async function timeMs(
  generators: Generators,
  kind: keyof GeneratorJobs,
  job: GeneratorJobs[keyof GeneratorJobs],
): Promise<number> {
  const startedMs = performance.now();
  const readFile = () => Promise.reject(new Error('nothing is read'));
  await generators.make(kind, job, { owner: 'bench', readFile, signal: new AbortController().signal });
  return performance.now() - startedMs;
}

async function take(rounds: number): Promise<Taken[]> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const figures: Taken[] = [];
  for (const [kind, jobs] of Object.entries(wares)) {
    for (const [name, job] of jobs) {
      const generators = createGenerators(systemClock);
      const first = await timeMs(generators, kind as keyof GeneratorJobs, job);
      const later: number[] = [];
      for (let round = 0; round < rounds; round++) later.push(await timeMs(generators, kind as keyof GeneratorJobs, job));
      figures.push({
        name: `make ${name}`,
        value: median(later),
        unit: 'ms',
        note: `the first, with its thread: ${Math.round(first)} ms`,
      });
    }
  }
  delay.disable();
  figures.push({ name: 'main thread held up by making', value: delay.max / 1e6 - 5, unit: 'ms', note: 'the longest time' });
  return figures;
}

export const making: Measure = {
  name: 'making',
  about: 'files made by the tools: from the call to the bytes, in a thread of its own',
  // Nothing of it touches a database.
  take: async ({ database, sizes }) =>
    database === 'embedded' ? [...(await take(sizes.rounds)), ...(await takePages(sizes))] : [],
};
