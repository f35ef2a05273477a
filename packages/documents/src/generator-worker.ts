import { type Ask, type Job, serveJobs } from '@errand/base/threads/job-worker.ts';
import type { ReadFile, ReportProgress } from './generator-outcome.ts';
import type { GeneratorJobs } from './generators.ts';

function readThrough(ask: Ask): ReadFile {
  return async (path) => (await ask('read', path)) as Uint8Array;
}

/** Fire and forget: nothing depends on it. */
function reportThrough(ask: Ask): ReportProgress {
  return (line) => void ask('report', line).catch(() => undefined);
}

/** Each job loads its code on first use: a chart does not pay for a document. */
const jobs = {
  async chart(input, ask) {
    const { makeChart } = await import('./charts/chart-generator.ts');
    return makeChart(input as GeneratorJobs['chart'], readThrough(ask));
  },
  async diagram(input) {
    const { makeDiagram } = await import('./charts/diagram-generator.ts');
    return makeDiagram(input as GeneratorJobs['diagram']);
  },
  async document(input, ask) {
    const { makeDocument } = await import('./text-documents/document-generator.ts');
    return makeDocument(input as GeneratorJobs['document'], readThrough(ask), reportThrough(ask));
  },
  async word(input, ask) {
    const { makeWordOfPage } = await import('./word-pages/word-document.ts');
    return makeWordOfPage(input as GeneratorJobs['word'], readThrough(ask), reportThrough(ask));
  },
  async deck(input, ask) {
    const { makeDeck } = await import('./slides/deck-generator.ts');
    return makeDeck(input as GeneratorJobs['deck'], readThrough(ask), reportThrough(ask));
  },
  async pageDeck(input, ask) {
    const { makePageDeck } = await import('./page-decks/page-deck-generator.ts');
    return makePageDeck(input as GeneratorJobs['pageDeck'], readThrough(ask), reportThrough(ask));
  },
  async sheets(input, ask) {
    const { makeSheets } = await import('./spreadsheets/workbook-generator.ts');
    return makeSheets(input as GeneratorJobs['sheets'], readThrough(ask), reportThrough(ask));
  },
  async table(input, ask) {
    const { runTableJob } = await import('./rows/table-job.ts');
    return runTableJob(input as GeneratorJobs['table'], readThrough(ask));
  },
  async picture(input, ask) {
    const { editPicture } = await import('./pictures/picture-editor.ts');
    return editPicture(input as GeneratorJobs['picture'], readThrough(ask));
  },
  async cover(input, ask) {
    const { makeCover } = await import('./covers/cover-drawing.ts');
    return makeCover(input as GeneratorJobs['cover'], readThrough(ask));
  },
  async sharePicture(input, ask) {
    const { makeSharePicture } = await import('./covers/share-picture.ts');
    return makeSharePicture(input as GeneratorJobs['sharePicture'], readThrough(ask));
  },
  async view(input, ask) {
    const { makeView } = await import('./pictures/picture-preview.ts');
    return makeView(input as GeneratorJobs['view'], readThrough(ask));
  },
  async office(input, ask) {
    const { editOffice } = await import('./office-edit/office-editor.ts');
    return editOffice(input as GeneratorJobs['office'], readThrough(ask));
  },
  async brandFile(input, ask) {
    const { examineBrandFile } = await import('./brands/brand-file.ts');
    return examineBrandFile(input as GeneratorJobs['brandFile'], readThrough(ask));
  },
} satisfies Record<keyof GeneratorJobs, Job>;

serveJobs(jobs);
