import { z } from 'zod';
import { invalidField } from '../base/fault.ts';
import type { Makers } from '../makers/maker-threads.ts';
import { makeFiles, readFormat } from './file-making.ts';
import { defineTool, type Tool } from './tool.ts';

const formats = ['pdf', 'docx', 'md', 'txt'] as const;
const line = z.string().max(300).default('');

const input = z.strictObject({
  files: z
    .array(z.string())
    .min(1)
    .max(4)
    .describe('Where the document goes, one path for each form: ["report.pdf", "report.docx"]; .pdf, .docx, .md or .txt.'),
  markdown: z.string().max(400_000).optional().describe('The whole text as markdown.'),
  source: z.string().optional().describe('A markdown file of the workspace to take the text from, instead of markdown.'),
  title: line.describe('Default: the first heading, if it is of the first level.'),
  subtitle: line.describe('One line under the title.'),
  author: line.describe('Who stands under the title and in the properties of the file.'),
  date: line.describe('As it shall be read, for example "3 March 2026".'),
  title_page: z.boolean().default(false).describe('Put the title on a page of its own; for longer reports.'),
  page_size: z.enum(['A4', 'letter']).default('A4').describe('letter for readers in the United States.'),
  language: z
    .string()
    .regex(/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/, 'must be a language tag such as "en" or "pt-BR"')
    .default('')
    .describe('The language of the text, such as "en", "de", "pt-BR".'),
});

function readSource({ markdown, source }: z.infer<typeof input>): string | { path: string } {
  if (markdown !== undefined && source !== undefined) throw invalidField('source', 'give either markdown or source, not both.');
  if (source !== undefined) return { path: source };
  if (markdown !== undefined) return markdown;
  throw invalidField('markdown', 'is missing. Give the text, or a file with source.');
}

export function createMakeDocument(makers: Makers): Tool {
  return defineTool({
    name: 'make_document',
    description: `Writes a document (PDF, Word, Markdown, plain text) from one markdown text, with headings, lists, tables, code, links and pictures.
The look is given: write content, not layout. Show pictures of the workspace by ![caption](charts/sales.png), each in a paragraph of its own; addresses of other places are refused. <!-- pagebreak --> begins a page. HTML is not interpreted.
PDF sets Latin, Greek, Cyrillic and (with fonts on the machine) Chinese, Japanese and Korean; for Arabic, Hebrew, Indic or Thai make a .docx.
Up to 400,000 characters (2 MB by source) and 100 pictures. Example: {"files": ["report.pdf", "report.docx"], "title": "Sales 2025", "author": "Ada", "markdown": "## Summary\\n\\nSales **doubled**.\\n\\n![Sales by month](sales.png)"}.`,
    input,
    effect: 'retry',
    account: ({ files, title }) => ({
      brief: `Writing ${title || files[0] || ''}`,
      action: 'Writing document',
      param: files.join(', '),
    }),
    async run(wanted, context) {
      const files = wanted.files.map((path, at) => ({ path, format: readFormat(path, formats, `files.${at}`) }));
      const { title, subtitle, author, date, language, title_page: hasTitlePage, page_size: pageSize } = wanted;
      const said = { title, subtitle, author, date, language, hasTitlePage, pageSize, nowMs: context.now() };
      return await makeFiles(makers, 'document', { files, markdown: readSource(wanted), ...said }, context);
    },
  });
}
