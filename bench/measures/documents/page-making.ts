import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress } from '@errand/sandbox/press';
import { findBrowser, findOffice } from '@errand/sandbox/programs';
import { openWorkspace } from '@errand/sandbox/workspace';
import { noUse } from '../../../src/rules/files/storage-quota.ts';
import { createMakeDocument } from '../../../src/tools/deliverables/make-document.ts';
import { createMakeSlides } from '../../../src/tools/deliverables/make-slides.ts';
import { noSkills } from '../../../src/tools/skills/task-skills.ts';
import { TaskResources } from '../../../src/tools/toolbox/task-resources.ts';
import type { Tool, ToolContext } from '../../../src/tools/toolbox/tool.ts';
import { median } from '../../report/statistics.ts';
import type { Sizes } from '../../service/sizes.ts';
import type { Taken } from '../measure.ts';

const kit = fileURLToPath(new URL('../../../skills/design-kit/kit', import.meta.url));

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const text = `${'A sentence of some length that says what happened in the year. '.repeat(6)}\n\n`.repeat(3);
const table = `| month | sales |\n|--|--:|\n${months.map((month, at) => `| ${month} | ${at * 7} |`).join('\n')}\n\n`;
/** Two pages on A4 for each chapter, with a cover and contents. */
function writeReport(chapters: number): string {
  const write = (number: number) => `# Chapter ${number}\n\n${text}## Results of chapter ${number}\n\n${text}${table}${text}`;
  return Array.from({ length: chapters }, (_, at) => write(at + 1)).join('');
}

const facts = ['visitors', 'sales', 'costs'].map((name, at) => `<div><dt>${name}</dt><dd>${(at + 1) * 1_207}</dd></div>`);
const record = { type: 'bar', labels: months, series: [{ name: 'sales', values: months.map((_, at) => at * 7) }] };
const drawing = `<svg viewBox="0 0 600 300"><metadata>${JSON.stringify(record)}</metadata><rect width="600" height="300"/></svg>`;
const rows = months.slice(0, 7).map((month, at) => `<tr><td>${month}</td><td class="num">${at * 7}</td></tr>`);
const contents = [
  `<div class="fill"><dl class="facts">${facts.join('')}</dl></div><aside class="notes"><p>Say it.</p></aside>`,
  `<div class="columns main-side"><figure>${drawing}</figure><ul><li>One</li><li>Two</li></ul></div>`,
  `<table><thead><tr><th>month</th><th class="num">sales</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
];

function writeDeck(count: number): string {
  const slides = Array.from(
    { length: count },
    (_, at) => `<section class="slide"><h2>Slide ${at + 1} says one thing</h2>${contents[at % contents.length]}</section>`,
  );
  return `<!doctype html><html lang="en" data-theme="deck"><head><meta charset="utf-8"><title>Deck</title>
<link rel="stylesheet" href="kit/kit.css"></head><body>${slides.join('\n')}</body></html>`;
}

function contextIn(root: string): ToolContext {
  return {
    ...{ accountId: 'bench', taskId: 'bench', callId: 'bench', workspace: openWorkspace(root), resources: new TaskResources() },
    ...{ plan: [], made: [], artifacts: [], step: 1, references: [], sites: [], skills: noSkills, stored: noUse },
    signal: new AbortController().signal,
    report: () => undefined,
    now: () => systemClock.now(),
    egressGuard: { refuseHost: () => null, refuseFromCommand: () => null, refuseAddress: () => null },
    mapRows: () => Promise.reject(new Error('there are no rows here')),
    // Pictures are drawn only for a model with vision, so this one has it.
    show: () => Promise.resolve(null),
    stored: { bytes: 0, files: 0 },
  };
}

async function time(name: string, tool: Tool, input: object, context: ToolContext, rounds: number): Promise<Taken> {
  const times: number[] = [];
  let said = '';
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    ({ output: said } = await tool.run(tool.input.parse(input), context));
    times.push(performance.now() - startedMs);
  }
  const [count = ''] = /\d+ (?:pages|slides)/.exec(said) ?? [];
  return { name: `make ${name}`, value: median(times), unit: 'ms', note: `${count}; with its findings and pictures` };
}

type PageSizes = Pick<Sizes, 'rounds' | 'chapters' | 'slides'>;

/** How long long reports and decks take, from the call of the tool to its answer; nothing on a machine without the programs. */
export async function takePages({ rounds, chapters, slides }: PageSizes): Promise<Taken[]> {
  const { sandbox } = await openSandbox({ clock: systemClock });
  const [chromium, office] = [findBrowser(), findOffice()];
  if (!sandbox || chromium === null || office === null) return [];
  const folder = await mkdtemp(join(tmpdir(), 'errand-bench-'));
  try {
    await cp(kit, join(folder, 'kit'), { recursive: true });
    const press = createPress({ sandbox, programs: { chromium, office } });
    const generators = createGenerators(systemClock);
    const [documents, decks] = [createMakeDocument(generators, press), createMakeSlides(generators, press)];
    const context = contextIn(folder);
    await context.workspace.write('deck.html', writeDeck(slides));
    const report = { markdown: writeReport(chapters), title: 'Report', author: 'Ada', title_page: true };
    const page = { path: 'made', page: 'deck.html' };
    return [
      await time('a long report as PDF', documents, { ...report, files: ['report.pdf'] }, context, rounds),
      await time('a long report as Word', documents, { ...report, files: ['report.docx'] }, context, rounds),
      await time('a deck as PowerPoint', decks, { ...page, format: 'pptx' }, context, rounds),
      await time('a deck as PDF', decks, { ...page, format: 'pdf' }, context, rounds),
    ];
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
