import { extname } from 'node:path';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Press, PressReport } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import { closedFolders } from '../toolbox/closed-folders.ts';
import { noteUnseen } from '../toolbox/show-picture.ts';
import { defineTool, type Tool, type ToolContext } from '../toolbox/tool.ts';
import { placeLooks } from './look-at-result.ts';
import { describeFindings, showPages } from './page-findings.ts';
import { isShowable, createPressRequest, paperEndings, paperSizes, readRanges, type View, views } from './page-request.ts';

const mostPictures = 40;
/** Files of a folder in which other pages are looked for, and pages that are named. */
const mostListed = 400;
const mostNamed = 12;

const sizes = Object.keys(paperSizes) as [keyof typeof paperSizes];

const input = z.strictObject({
  path: z.string().describe('.html, .svg, .pdf, office file, or folder of a site.'),
  as: z.enum(['png', 'pdf']).default('png'),
  view: z.enum(views).optional().describe('Default: desktop.').meta({ disclosure: 'bare' }),
  scheme: z.enum(['light', 'dark']).default('light').meta({ disclosure: 'later' }),
  pages: z.string().max(200).default('').describe('Such as 1-3,7.').meta({ disclosure: 'bare' }),
  size: z.enum(sizes).optional().describe('Paper. Default: what the page says (@page), or A4.').meta({ disclosure: 'later' }),
  to: z
    .string()
    .optional()
    .describe('Where the pdf goes, or the pictures, to which page numbers are added.')
    .meta({ disclosure: 'later' }),
});

type RenderRequest = z.infer<typeof input>;

interface FoundPage {
  page: string;
  /** Pages beside that of a folder. */
  others: readonly string[];
}

/** The page of a file or a folder. Throws a Fault if there is none. */
async function findPage(path: string, workspace: Workspace): Promise<FoundPage> {
  const normal = normaliseWorkspacePath(path);
  if (isShowable(normal)) {
    await workspace.readStart(normal, 1);
    return { page: normal, others: [] };
  }
  const page = normal === '.' ? 'index.html' : `${normal}/index.html`;
  const start = await workspace.readStart(page, 1).catch(() => null);
  if (start !== null) {
    const entries = await workspace.list(normal, mostListed, { closed: closedFolders });
    const files = entries.filter(({ kind, path: file }) => kind === 'file' && file !== page && /\.html?$/i.test(file));
    return { page, others: files.map(({ path: file }) => file).toSorted() };
  }
  throw invalidField('path', `${JSON.stringify(path)} is neither a page, a PDF, an office file, nor a folder with index.html.`);
}

/** Other views and schemes of a page have names of their own, so that it can be seen in several at the same time. */
function nameLook(page: string, view: View, scheme: RenderRequest['scheme']): string {
  const isUsual = view === 'desktop' || isPaperFile(page);
  const kind = [...(isUsual ? [] : [view]), ...(scheme === 'dark' ? [scheme] : [])];
  return [placeLooks(page), ...kind].join('-');
}

function placeResult({ as, to }: RenderRequest, page: string, look: string): { pdf: string | null; pictures: string } {
  const stem = page.replace(/\.[^./]+$/, '');
  if (as === 'png') return { pdf: null, pictures: to === undefined ? look : normaliseWorkspacePath(to).replace(/\.png$/i, '') };
  const pdf = to === undefined ? `${stem}.pdf` : normaliseWorkspacePath(to);
  if (extname(pdf).toLowerCase() !== '.pdf') throw invalidField('to', `${JSON.stringify(to)} must end in .pdf.`);
  return { pdf, pictures: look };
}

function isPaperFile(page: string): boolean {
  return paperEndings.includes(extname(page).slice(1).toLowerCase());
}

function describeReport({ pageCount, pictures, findings }: PressReport, page: string, pdf: string | null): string {
  const count = `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`;
  const [first] = pictures;
  const last = pictures.at(-1);
  const range =
    first && last && first !== last ? `${first.path} to ${last.path}` : (first?.path ?? 'none of the pages asked for');
  const made = pdf === null || pdf === page ? '' : ` as ${pdf}`;
  // Only the pages of HTML are measured; of others, none of this is known to be right.
  const found = findings.length === 0 && isPaperFile(page) ? [] : describeFindings(findings);
  return [`${page}: ${count}${made}. Pictures: ${range}.`, ...found].join('\n');
}

function nameOthers(others: readonly string[]): string[] {
  if (others.length === 0) return [];
  const rest = others.length - mostNamed;
  return [`Not shown: ${others.slice(0, mostNamed).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}. Render each.`];
}

async function render(press: Press, request: RenderRequest, context: ToolContext) {
  const { accountId: owner, workspace, signal } = context;
  const { page, others } = await findPage(request.path, workspace);
  const view =
    isPaperFile(page) || request.as === 'pdf' ? 'paper' : (request.view ?? (request.size === undefined ? 'desktop' : 'paper'));
  const places = placeResult(request, page, nameLook(page, view, request.scheme));
  const paper = request.size === undefined ? null : paperSizes[request.size];
  const { scheme, pages } = request;
  const pressRequest = createPressRequest({
    page: { path: page },
    view,
    scheme,
    paper,
    ranges: readRanges(pages),
    mostPictures,
    ...places,
  });
  const report = await press.run(pressRequest, { workspace, owner, signal });
  if (places.pdf !== null) {
    const { keepFindings } = await import('./kept-findings.ts');
    await keepFindings(places.pdf, report.findings, context);
  }
  const pictures = await showPages(report, context);
  const unseen = report.pictures.length === 0 ? [] : noteUnseen(context);
  const output = [describeReport(report, page, places.pdf), ...nameOthers(others), ...unseen].join('\n');
  return { status: 'success' as const, output, ...(pictures.length > 0 && { pictures }) };
}

/** Shows a page of the workspace as its readers will see it. */
export function createRender(press: Press): Tool {
  return defineTool({
    name: 'render',
    description: 'Shows a page as pictures or makes a PDF, offline, and says what is wrong.',
    input,
    effect: 'retry',
    reads: 'files',
    summarize: ({ path }) => ({ brief: `Looking at ${path}`, action: 'Looking at', param: path }),
    run: (request, context) => render(press, request, context),
  });
}
