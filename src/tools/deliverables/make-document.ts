import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import { languageField } from './language-field.ts';

const formats = ['pdf', 'docx', 'md', 'txt'] as const;
const line = z.string().max(300).default('');

const input = z.strictObject({
  files: z.array(z.string()).min(1).max(4).describe('A path for each form: .pdf, .docx, .md, .txt.'),
  markdown: z.string().max(400_000).optional(),
  source: z.string().optional().describe('A markdown file instead.'),
  title: line,
  subtitle: line.describe('One line under the title.').meta({ disclosure: 'later' }),
  author: line.describe('Who stands under the title and in the properties of the file.').meta({ disclosure: 'later' }),
  date: line.describe('As it shall be read, for example "3 March 2026".').meta({ disclosure: 'later' }),
  title_page: z
    .boolean()
    .default(false)
    .describe('Put the title on a page of its own; for longer reports.')
    .meta({ disclosure: 'later' }),
  page_size: z
    .enum(['A4', 'letter'])
    .default('A4')
    .describe('letter for readers in the United States.')
    .meta({ disclosure: 'later' }),
  language: languageField,
});

function readSource({ markdown, source }: z.infer<typeof input>): string | { path: string } {
  if (markdown !== undefined && source !== undefined) throw invalidField('source', 'give either markdown or source, not both.');
  if (source !== undefined) return { path: source };
  if (markdown !== undefined) return markdown;
  throw invalidField('markdown', 'is missing. Give the text, or a file with source.');
}

export function createMakeDocument(generators: Generators): Tool {
  return defineTool({
    name: 'make_document',
    description:
      'Writes a document from markdown with headings, lists, tables, code, links, pictures (![caption](path)) and <!-- pagebreak -->; no HTML. For Arabic, Hebrew, Indic scripts and Thai make .docx, not .pdf.',
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
      return await makeFiles(generators, 'document', { files, markdown: readSource(wanted), ...said }, context);
    },
  });
}
