import { Fault, invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { looksFolder } from '../pages/look-at-result.ts';
import { describeFindings, describeShown, showPages } from '../pages/page-findings.ts';
import { createPressRequest } from '../pages/page-request.ts';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';
import { hasFile, makeFiles, noteReplaced } from './file-generation.ts';

/** The pages that a model sees of what it made. */
const mostPictures = 6;

export const deckFormats = ['pptx', 'pdf', 'html'] as const;
export type DeckFormat = (typeof deckFormats)[number];

export interface PageDeckRequest {
  /** The page with the slides. */
  page: string;
  format: DeckFormat;
  /** The path of the deck without an ending. */
  stem: string;
}

async function layOut(press: Press, request: PageDeckRequest, data: string | null, context: ToolContext) {
  const { accountId: owner, workspace, signal, show } = context;
  const { page, stem, format } = request;
  const look = `${looksFolder}/${stem.replaceAll('/', '-')}`;
  const html = format === 'pdf' ? null : `${stem}.html`;
  const pressRequest = createPressRequest({
    page: { path: normaliseWorkspacePath(page) },
    view: 'paper',
    pdf: format === 'pdf' ? `${stem}.pdf` : null,
    slides: { data, html },
    pictures: show ? look : null,
    mostPictures,
  });
  const written = html ?? `${stem}.pdf`;
  const replaced = (await hasFile(workspace, written)) ? [written] : [];
  const report = await press.run(pressRequest, { workspace, owner, signal });
  const { findings, pageCount } = report;
  const seen = await showPages(report, context);
  const lines = [...noteReplaced(replaced), ...describeShown(seen, pageCount, written), ...describeFindings(findings)];
  return { pictures: seen, lines, pageCount };
}

/** Makes a deck of a page whose sections are its slides, as the browser lays them out. */
export async function makePageDeck(
  generators: Generators,
  machine: Press | null,
  request: PageDeckRequest,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { page, format, stem } = request;
  if (!machine) throw new Fault('unavailable', 'This machine has no Chromium to lay out a page. Give slides instead of page.');
  const normal = normaliseWorkspacePath(page);
  if (!/\.x?html?$/i.test(normal)) throw invalidField('page', `${JSON.stringify(page)} is no HTML page.`);
  const forms = { html: `${stem}.html`, pptx: `${stem}.pptx` };
  if (format !== 'pdf' && normal === forms.html)
    throw invalidField('path', `would write ${forms.html} over the page itself. Choose another name.`);
  await context.workspace.readStart(normal, 1);
  if (format === 'pdf') {
    const { lines, pictures, pageCount } = await layOut(machine, request, null, context);
    const output = [`Made ${stem}.pdf (${pageCount} slides).`, ...lines].join('\n');
    return { status: 'success', output, ...(pictures.length > 0 && { pictures }) };
  }
  const folder = `${looksFolder}/${stem.replaceAll('/', '-')}-slides`;
  try {
    const { lines, pictures } = await layOut(machine, request, `${folder}/deck`, context);
    const made = await makeFiles(generators, 'pageDeck', { path: forms.pptx, data: `${folder}/deck.json` }, context);
    const output = [made.output, `${forms.html} is the same in one page, in its own fonts.`, ...lines].join('\n');
    return {
      status: 'success',
      output,
      made: [{ kind: 'slides', path: forms[format], forms }],
      ...(pictures.length > 0 && { pictures }),
    };
  } finally {
    await context.workspace.remove(folder);
  }
}
