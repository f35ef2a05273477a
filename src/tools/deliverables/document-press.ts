import type { GeneratorJobs, Generators } from '@errand/documents';
import { type KitBrand, type KitTheme, readKit } from '@errand/documents/kit';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Press, PressRequest } from '@errand/sandbox/press';
import { placeLooks } from '../pages/look-at-result.ts';
import { describeFindings, describeShown, showPages } from '../pages/page-findings.ts';
import { createPressRequest } from '../pages/page-request.ts';
import { hasFile, noteReplaced } from './file-generation.ts';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';

/** The pages that a model sees of what it made. */
const mostPictures = 6;

type Extras = PressRequest['extras'];

/** Makes a PDF of a page, with what is wrong with it and its first pages as pictures. */
export async function convertPage(
  press: Press,
  page: PressRequest['page'],
  path: string,
  context: ToolContext,
  extras?: Extras,
): Promise<ToolOutcome> {
  const { accountId: owner, workspace, signal, show } = context;
  const pdf = normaliseWorkspacePath(path);
  const look = placeLooks(pdf);
  const pressRequest = createPressRequest({
    page,
    view: 'paper',
    pdf,
    pictures: show ? look : null,
    mostPictures,
    ...(extras && { extras }),
  });
  const replaced = (await hasFile(workspace, pdf)) ? [pdf] : [];
  const report = await press.run(pressRequest, { workspace, owner, signal });
  const { keepFindings } = await import('../pages/kept-findings.ts');
  await keepFindings(pdf, report.findings, context);
  const pictures = await showPages(report, context);
  const count = `${report.pageCount} ${report.pageCount === 1 ? 'page' : 'pages'}`;
  const shown = describeShown(pictures, report.pageCount, pdf, 'pages');
  const output = [`Made ${pdf} (${count}).`, ...noteReplaced(replaced), ...shown, ...describeFindings(report.findings)].join(
    '\n',
  );
  return { status: 'success', output, ...(pictures.length > 0 && { pictures }) };
}

export interface DocumentPress {
  generators: Generators;
  press: Press;
  /** A theme of the kit, or the one that the brand is based on. */
  theme: KitTheme;
  /** Null for a document in a theme of the kit. */
  brand: KitBrand | null;
}

/** Makes the PDF of a document: a page of the design kit, converted by the browser. */
export async function pressDocument(
  { generators, press, theme, brand }: DocumentPress,
  job: GeneratorJobs['document'],
  path: string,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { accountId, workspace, signal, report } = context;
  const { files, notes } = await generators.make(
    'document',
    { ...job, files: [{ path, format: 'page' }] },
    { owner: accountId, readFile: (name) => workspace.read(name), signal, report: (line) => report(`${line}\n`) },
  );
  const html = Buffer.from(files[0]?.bytes ?? []).toString();
  const made = await convertPage(press, { html }, path, context, await readKit(theme, brand));
  return { ...made, output: [made.output, ...notes].join('\n') };
}
