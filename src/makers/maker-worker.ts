import { type Ask, type Job, serveJobs } from '../base/job-worker.ts';
import type { ReadFile, Tell } from './maker-outcome.ts';
import type { MakerJobs } from './maker-threads.ts';

function readThrough(ask: Ask): ReadFile {
  return async (path) => (await ask('read', path)) as Uint8Array;
}

/** Nobody waits for it, and nothing depends on its being heard. */
function tellThrough(ask: Ask): Tell {
  return (line) => void ask('tell', line).catch(() => undefined);
}

/** What each job loads, it loads when it is first asked for: a chart does not pay for a document. */
const jobs = {
  async chart(input, ask) {
    const { makeChart } = await import('./chart/chart-job.ts');
    return makeChart(input as MakerJobs['chart'], readThrough(ask));
  },
  async document(input, ask) {
    const { makeDocument } = await import('./document/document-job.ts');
    return makeDocument(input as MakerJobs['document'], readThrough(ask), tellThrough(ask));
  },
  async deck(input, ask) {
    const { makeDeck } = await import('./slides/deck-job.ts');
    return makeDeck(input as MakerJobs['deck'], readThrough(ask), tellThrough(ask));
  },
  async sheets(input, ask) {
    const { makeSheets } = await import('./sheets/sheet-job.ts');
    return makeSheets(input as MakerJobs['sheets'], readThrough(ask), tellThrough(ask));
  },
  async picture(input, ask) {
    const { editPicture } = await import('./picture/picture-job.ts');
    return editPicture(input as MakerJobs['picture'], readThrough(ask));
  },
  async cover(input, ask) {
    const { makeCover } = await import('./picture/cover-job.ts');
    return makeCover(input as MakerJobs['cover'], readThrough(ask));
  },
  async view(input, ask) {
    const { makeView } = await import('./picture/view-job.ts');
    return makeView(input as MakerJobs['view'], readThrough(ask));
  },
} satisfies Record<keyof MakerJobs, Job>;

serveJobs(jobs);
