import { Fault } from '@errand/base/fault.ts';
import type { Press, PressReport } from '@errand/sandbox/press';
import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import type { ToolContext } from '../toolbox/tool.ts';
import { describeFindings, describeShown, showPages } from './page-findings.ts';
import { isShowable, createPressRequest, type PageRequest } from './page-request.ts';

/** The pages that a model sees of what it made. */
const mostPictures = 6;
/** Where pictures go that only serve to look at. */
export const looksFolder = '.render';

/** Where the pictures of a file's pages go, without their numbers. A report as PDF and as Word has pictures of its own for each. */
export function placeLooks(path: string): string {
  const name = path.replace(/\.html?$/i, '').replace(/\.(?=[^./]+$)/, '-');
  return `${looksFolder}/${name.replaceAll('/', '-')}`;
}

/** Null if the press fails: a result is useful without having been looked at. */
async function tryRun(
  press: Press,
  request: PageRequest,
  { accountId, workspace, signal }: ToolContext,
): Promise<PressReport | null> {
  try {
    return await press.run(createPressRequest(request), { workspace, owner: accountId, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Fault) return null;
    throw error;
  }
}

export interface Look {
  /** What is wrong with it, for the model. */
  lines: string[];
  pictures: SeenPicture[];
}

/** Shows a deck, as HTML, to the model that made it, slide by slide. */
export async function lookAtDeck(press: Press, path: string, context: ToolContext): Promise<Look> {
  const pictures = context.show ? placeLooks(path) : null;
  const report = await tryRun(press, { page: { path }, view: 'paper', pictures, mostPictures }, context);
  if (!report) return { lines: [], pictures: [] };
  // A slide need not be full to be good: its layout is ours.
  const findings = report.findings.filter(({ kind }) => kind !== 'empty');
  const seen = await showPages(report, context);
  const shown = describeShown(seen, report.pageCount, `${path}, view "paper"`);
  return { lines: [...shown, ...describeFindings(findings)], pictures: seen };
}

/** Shows the first pages of an office file or a PDF to the model that made it. */
export async function lookAtPages(press: Press, path: string, context: ToolContext, mostShown = mostPictures): Promise<Look> {
  if (!isShowable(path)) return { lines: [], pictures: [] };
  const pictures = context.show ? placeLooks(path) : null;
  const report = await tryRun(press, { page: { path }, view: 'paper', pictures, mostPictures: mostShown }, context);
  if (!report) return { lines: [], pictures: [] };
  const pages = `${report.pageCount} ${report.pageCount === 1 ? 'page' : 'pages'} when converted.`;
  const found = report.findings.length === 0 ? [] : describeFindings(report.findings);
  const seen = await showPages(report, context);
  return { lines: [pages, ...describeShown(seen, report.pageCount, path, 'pages'), ...found], pictures: seen };
}

/** How much of a long CSV file is examined, from its start. */
const mostExaminedBytes = 262_144;

/** The look of a csv file, in words. */
export async function lookAtCsv(
  path: string,
  { workspace }: Pick<ToolContext, 'workspace'>,
): Promise<{ summary: string; findings: string[] }> {
  const start = await workspace.readStart(path, mostExaminedBytes + 1);
  const { examineCsv } = await import('@errand/documents/csv-findings');
  return examineCsv(start.subarray(0, mostExaminedBytes), start.length <= mostExaminedBytes);
}

/** Whether a file is a page or a PDF, which `checkResult` takes. */
export function isCheckable(path: string): boolean {
  return /\.(?:pdf|html?)$/i.test(path);
}

/** What is wrong with a page or a PDF, as lines; none if there is nothing. */
export async function checkResult(press: Press, path: string, context: ToolContext): Promise<string[]> {
  const view = /\.pdf$/i.test(path) ? 'paper' : 'desktop';
  const report = await tryRun(press, { page: { path }, view, mostPictures: 0 }, context);
  return report && report.findings.length > 0 ? describeFindings(report.findings).slice(1) : [];
}
