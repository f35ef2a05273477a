import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { exit, stdin, stdout } from 'node:process';
import { Devtools } from './devtools.ts';
import { printWithNotes } from './foot-notes.ts';
import { type Examination, PageSession, UnusablePage } from './page-session.ts';
import { leadsSomewhere, loosePage, type PageServer, servePages, workspace } from './page-server.ts';
import { bindNumbers, dropOwnLinks, numberContents, printPdf } from './paper.ts';
import { convertOffice, countPages, drawPages, findEmptyPages, readPageTexts } from './poppler.ts';
import type { Finding, PressJob, PressReport } from './press-job.ts';
import { divideScreen, type ScreenPages, shootScreen } from './screen.ts';
import { fitOnePage, fitWindow } from './sheets.ts';
import { prepareSlides, readSlides } from './slides/slide-deck.ts';

/**
 * Runs inside the sandbox, where its folder is mounted: shows one page of the workspace to a browser without a network, prints or
 * photographs it, and says what is wrong with it. The job comes from standard input, the report goes to standard output.
 */

const madePdf = '/tmp/press-made.pdf';
const mostFindings = 60;

/** The pages that are asked for, in order and once each. */
function choosePages({ ranges, mostPictures }: PressJob, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const chosen = ranges.length === 0 ? all : all.filter((page) => ranges.some(([first, last]) => page >= first && page <= last));
  return chosen.slice(0, mostPictures);
}

function squeeze(words: string): string {
  return words.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase().slice(0, 24);
}

/** What the browser reported, with missing files and links that lead nowhere. */
function listFindings(
  examination: Examination,
  session: PageSession,
  server: PageServer,
  pageOf: (one: Examination['found'][number]) => number | null,
): Finding[] {
  const { found, more, links } = examination;
  const broken = links.filter(({ path }) => {
    try {
      return !leadsSomewhere(decodeURIComponent(path));
    } catch {
      return true;
    }
  });
  const whole = { page: null, element: '', words: '' };
  return [
    ...found.map((one) => ({ kind: one.kind, page: pageOf(one), element: one.element, words: one.words, text: one.text })),
    ...broken.slice(0, 8).map(
      ({ element, words, target }): Finding => ({
        kind: 'link',
        page: null,
        element,
        words,
        text: `leads to "${target}", which does not exist`,
      }),
    ),
    ...[...server.missing]
      .slice(0, 8)
      .map(
        (path): Finding => ({ ...whole, kind: 'link', text: `the page asks for "${path.slice(0, 160)}", which does not exist` }),
      ),
    ...session.problems.slice(0, 12),
    ...Object.entries(more).map(
      ([kind, count]): Finding => ({ ...whole, kind: kind as Finding['kind'], text: `${count} more of this kind` }),
    ),
  ];
}

async function photograph(session: PageSession, server: PageServer, job: PressJob): Promise<PressReport> {
  const screen: ScreenPages = await divideScreen(session, job);
  const examination = await session.examine(job);
  if (job.isDrawing === true)
    await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  const pictures = await shootScreen(session, screen, choosePages(job, screen.boxes.length), job);
  const pageOf = ({ sheet, y }: Examination['found'][number]) =>
    screen.partHeight === Infinity ? sheet : Math.min(screen.boxes.length, Math.max(1, Math.floor(y / screen.partHeight) + 1));
  const findings = listFindings(examination, session, server, pageOf);
  if (screen.isCut)
    findings.push({
      kind: 'cut',
      page: null,
      element: '',
      words: '',
      text: 'the page is too high for one view; its end is not shown',
    });
  return { problem: null, pageCount: screen.boxes.length, pictures, findings };
}

/** Pictures and empty pages of a PDF, whatever made it. */
async function lookAtPdf(pdf: string, job: PressJob, isWorkbook = false): Promise<PressReport> {
  const pageCount = await countPages(pdf);
  const draw = async () =>
    job.pictures === null ? [] : drawPages(pdf, job.pictures, choosePages(job, pageCount), job.pictureWidth);
  // The pages of a workbook are as full as its data.
  const findEmpty = async () => (isWorkbook ? [] : findEmptyPages(pdf, pageCount));
  const [pictures, findings] = await Promise.all([draw(), findEmpty()]);
  if (job.pdf !== null) {
    await mkdir(dirname(`${workspace}/${job.pdf}`), { recursive: true });
    await copyFile(pdf, `${workspace}/${job.pdf}`);
  }
  return { problem: null, pageCount, pictures, findings };
}

async function print(session: PageSession, server: PageServer, job: PressJob): Promise<PressReport> {
  const prepared = job.slides ? await prepareSlides(session, job.slides) : null;
  if (!prepared) await session.evaluate(bindNumbers);
  const fitted = prepared ? [] : await fitOnePage(session, await fitWindow(session, job));
  const examination = await session.examine(job);
  await dropOwnLinks(session);
  if (prepared || !(await printWithNotes(session, madePdf))) await printPdf(session, madePdf);
  const firstListed = await numberContents(session, madePdf);
  if (firstListed !== null) await printPdf(session, madePdf);
  const reading = prepared && job.slides?.data ? readSlides(session, job.slides.data, prepared) : null;
  const [report, texts] = await Promise.all([lookAtPdf(madePdf, job), readPageTexts(madePdf), reading]);
  const findPage = (words: string) => (words === '' ? -1 : texts.findIndex((page) => page.includes(squeeze(words)))) + 1;
  const pageOf = ({ sheet, words }: Examination['found'][number]) => sheet ?? (findPage(words) || null);
  const contentsPage = findPage(examination.contents);
  const isContents = (page: number | null) =>
    page !== null && contentsPage > 0 && (page === contentsPage || (page > contentsPage && page < (firstListed ?? 0)));
  const looked = report.findings.filter(({ page }) => !isContents(page));
  const isSaid = ({ kind, page }: Finding) => kind === 'empty' && looked.some((one) => one.kind === 'empty' && one.page === page);
  const found = listFindings(examination, session, server, pageOf).filter((one) => !isSaid(one));
  return { ...report, findings: [...fitted, ...found, ...looked] };
}

/** Shows the page to a browser. A page that never comes to rest is shown once more without its scripts. */
async function show(job: PressJob, server: PageServer, runsScripts: boolean): Promise<PressReport> {
  const devtools = new Devtools(job.programs.chromium, `/tmp/press-${runsScripts ? 'live' : 'still'}`);
  try {
    const session = await PageSession.open(devtools, server);
    const path = 'path' in job.page ? job.page.path : loosePage;
    await session.load(server.origin + path.split('/').map(encodeURIComponent).join('/'), job, runsScripts);
    return await (job.view === 'paper' ? print : photograph)(session, server, job);
  } finally {
    await devtools.close();
  }
}

async function showPage(job: PressJob): Promise<PressReport> {
  const server = await servePages(job);
  try {
    return await show(job, server, true);
  } catch (error) {
    if (error instanceof UnusablePage) throw error;
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    const report = await show(job, server, false);
    const text = `the page did not come to rest (${line}); it is shown without its scripts`;
    report.findings.unshift({ kind: 'time', page: null, element: '', words: '', text });
    return report;
  } finally {
    server.close();
  }
}

const workbookEndings = ['xlsx', 'xls', 'ods'];
const officeEndings = ['docx', 'doc', 'odt', 'rtf', 'pptx', 'ppt', 'odp', ...workbookEndings];

async function work(job: PressJob): Promise<PressReport> {
  if (!('path' in job.page)) return showPage(job);
  const file = `${workspace}/${job.page.path}`;
  const ending = extname(file).slice(1).toLowerCase();
  if (ending === 'pdf') return lookAtPdf(file, job);
  if (!officeEndings.includes(ending)) return showPage(job);
  if (job.programs.office === null) throw new Error('this machine has no LibreOffice, which makes pages of such files');
  return lookAtPdf(await convertOffice(job.programs.office, file), job, workbookEndings.includes(ending));
}

function describe(error: unknown): string {
  const [line = 'it failed'] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 400);
}

const job = JSON.parse(await readText(stdin)) as PressJob;
const report = await work(job).catch(
  (error: unknown): PressReport => ({ problem: describe(error), pageCount: 0, pictures: [], findings: [] }),
);
report.findings.splice(mostFindings);
stdout.write(`${JSON.stringify(report)}\n`);
exit(0);
