import { extname } from 'node:path';
import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { brandTheme, kitThemes } from '@errand/documents/kit';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { dressOf, noteTemplate, wordLookOf } from '../brands/task-brand.ts';
import { convertPage, pressDocument } from './document-press.ts';
import { makeFiles, readFormat } from './file-generation.ts';
import { lookAtPages } from '../pages/look-at-result.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';
import { languageField } from './language-field.ts';

const formats = ['pdf', 'docx', 'md', 'txt'] as const;
const line = z.string().max(300).default('');

const input = z.strictObject({
  files: z.array(z.string()).min(1).max(4).describe('.pdf, .docx, .md, .txt'),
  markdown: z.string().max(400_000).optional(),
  source: z.string().optional().describe('Its file; HTML for .pdf, .docx.'),
  title: line,
  theme: z.enum(kitThemes).optional().describe('Default: the brand, or report.').meta({ disclosure: 'later' }),
  subtitle: line.describe('One line under the title.').meta({ disclosure: 'later' }),
  author: line.describe('Who stands under the title.').meta({ disclosure: 'later' }),
  date: line.describe('As it shall be read, for example "3 March 2026".').meta({ disclosure: 'later' }),
  title_page: z
    .boolean()
    .default(false)
    .describe('Put the title on a cover, followed by the contents; for longer reports.')
    .meta({ disclosure: 'later' }),
  page_size: z
    .enum(['A4', 'letter'])
    .default('A4')
    .describe('letter for readers in the United States.')
    .meta({ disclosure: 'later' }),
  language: languageField,
});

type Request = z.infer<typeof input>;

function readSource({ markdown, source }: Request): string | { path: string } {
  if (markdown !== undefined && source !== undefined) throw invalidField('source', 'give either markdown or source, not both.');
  if (source !== undefined) return { path: source };
  if (markdown !== undefined) return markdown;
  throw invalidField('markdown', 'is missing. Give the text, or a file with source.');
}

function listFiles({ files }: Request) {
  return files.map((path, at) => ({ path, format: readFormat(path, formats, `files.${at}`) }));
}

/** Whether the source is HTML, of which PDFs and Word documents are made. */
function isPage(request: Request): boolean {
  if (!/^\.x?html?$/i.test(extname(request.source ?? ''))) return false;
  const isMakeable = listFiles(request).every(({ format }) => format === 'pdf' || format === 'docx');
  if (isMakeable && request.markdown === undefined) return true;
  throw invalidField('source', 'is HTML, of which a .pdf and a .docx can be made. For other forms give markdown.');
}

/** One outcome of several. */
function joinOutcomes(outcomes: readonly ToolOutcome[]): ToolOutcome {
  const pictures = outcomes.flatMap((outcome) => outcome.pictures ?? []);
  const output = outcomes.map((outcome) => outcome.output).join('\n');
  return { status: 'success', output, ...(pictures.length > 0 && { pictures }) };
}

/** Null if the press fails, so that the document can be made without it. */
async function tryPress(work: Promise<ToolOutcome>, { signal }: ToolContext): Promise<ToolOutcome | null> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Fault && error.code === 'unavailable') return null;
    throw error;
  }
}

const usualTheme = 'report';

const plainRemark =
  'Chromium could not be used: the pdf is plain, its notes stand at the end, its contents have no page numbers.';

/** Says how many pages a Word document has, and shows them unless a PDF of the same text is shown already. */
async function lookAtWord(press: Press | null, files: readonly { path: string; format: string }[], context: ToolContext) {
  const word = files.find(({ format }) => format === 'docx');
  if (!press || !word) return [];
  const path = normaliseWorkspacePath(word.path);
  const isShown = files.some(({ format }) => format === 'pdf');
  if (isShown) {
    const { show: _, ...unseen } = context;
    const { lines } = await lookAtPages(press, path, unseen, 0);
    return lines.length === 0
      ? []
      : [{ status: 'success' as const, output: [`${path}: ${lines[0]}`, ...lines.slice(1)].join('\n') }];
  }
  const { lines, pictures } = await lookAtPages(press, path, context);
  return lines.length === 0 ? [] : [{ status: 'success' as const, output: lines.join('\n'), pictures }];
}

/** The look of Word documents whose pages name no theme; nothing if none is wanted. */
async function wordBrand(files: readonly { format: string }[], { brand }: ToolContext) {
  return brand && files.some(({ format }) => format === 'docx') ? { brand: await wordLookOf(brand) } : {};
}

async function makeOfPage(
  generators: Generators,
  press: Press | null,
  request: Request,
  context: ToolContext,
): Promise<ToolOutcome> {
  const files = listFiles(request);
  const page = normaliseWorkspacePath(request.source ?? '');
  const made: ToolOutcome[] = [];
  const look = await wordBrand(files, context);
  for (const { path, format } of files) {
    const word = { path, page, author: request.author, ...look };
    if (format === 'docx') made.push(await makeFiles(generators, 'word', word, context));
    else if (press) made.push(await convertPage(press, { path: page }, path, context));
    else throw invalidField('source', 'is HTML, and this machine has no Chromium to make a .pdf of it. Give markdown.');
  }
  return joinOutcomes([...made, ...(await lookAtWord(press, files, context))]);
}

async function make(generators: Generators, press: Press | null, request: Request, context: ToolContext): Promise<ToolOutcome> {
  const files = listFiles(request);
  if (isPage(request)) return makeOfPage(generators, press, request, context);
  const { title, subtitle, author, date, language, title_page: hasTitlePage, page_size: pageSize } = request;
  const brand = context.brand && request.theme === undefined ? await dressOf(context.brand) : null;
  const theme = brand ? brandTheme : (request.theme ?? usualTheme);
  const said = { title, subtitle, author, date, language, theme, hasTitlePage, pageSize, nowMs: context.now() };
  const job = { files, markdown: readSource(request), ...said, ...(brand && (await wordBrand(files, context))) };
  const [pdf] = files.filter(({ format }) => format === 'pdf');
  if (!press || !pdf) {
    const outcome = await makeFiles(generators, 'document', job, context);
    if (pdf) return joinOutcomes([outcome, { status: 'success', output: plainRemark }]);
    return joinOutcomes([outcome, ...(await lookAtWord(press, files, context))]);
  }
  const pressed = await tryPress(
    pressDocument({ generators, press, theme: brand?.theme ?? request.theme ?? usualTheme, brand }, job, pdf.path, context),
    context,
  );
  const rest = pressed ? files.filter((file) => file !== pdf) : files;
  const others = rest.length > 0 ? [await makeFiles(generators, 'document', { ...job, files: rest }, context)] : [];
  const look = pressed ? await lookAtWord(press, files, context) : [];
  return joinOutcomes([...(pressed ? [pressed] : [{ status: 'success' as const, output: plainRemark }]), ...others, ...look]);
}

/** @param press makes the PDFs; null on a machine without a browser */
export function createMakeDocument(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'make_document',
    description:
      'Writes a document of markdown with footnotes [^1], [TOC], "Table: caption", ![caption](path), > [!NOTE], <!-- pagebreak -->.',
    input,
    effect: 'retry',
    summarize: ({ files, title }) => ({
      brief: `Writing ${title || files[0] || ''}`,
      action: 'Writing document',
      param: files.join(', '),
    }),
    async run(request, context) {
      const made = await make(generators, press, request, context);
      const hasWord = listFiles(request).some(({ format }) => format === 'docx');
      const notes = hasWord ? noteTemplate(context.brand, 'docx') : [];
      return { ...made, output: [made.output, ...notes].join('\n') };
    },
  });
}
