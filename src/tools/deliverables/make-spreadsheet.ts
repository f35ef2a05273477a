import { z } from 'zod';
import type { Generators } from '@errand/documents';
import { kitThemes } from '@errand/documents/kit';
import { sheetFields, sheetFormats } from '@errand/documents/workbook-spec';
import type { Press } from '@errand/sandbox/press';
import { lookOf, noteTemplate } from '../brands/task-brand.ts';
import { lookAtPages } from '../pages/look-at-result.ts';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const input = z.strictObject({
  files: z.array(z.string()).min(1).max(3).describe('Paths: .xlsx, .ods, .csv.'),
  ...sheetFields,
  theme: z
    .enum(kitThemes)
    .optional()
    .describe('The look of a theme of the skill design-kit, as other results have it.')
    .meta({ disclosure: 'later' }),
});

/** @param press shows the result; null on a machine without a browser */
export function createMakeSpreadsheet(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'make_spreadsheet',
    description: 'Makes a spreadsheet. Headers are row 1; "=SUM(Sales!B2:B13)" is a formula, "2026-03-31" a date.',
    input,
    effect: 'retry',
    account: ({ files, title }) => ({
      brief: `Making ${title || files[0] || ''}`,
      action: 'Making spreadsheet',
      param: files.join(', '),
    }),
    async run({ files, theme, ...workbook }, context) {
      const named = files.map((path, at) => ({ path, format: readFormat(path, sheetFormats, `files.${at}`) }));
      const brand = theme ? { theme, styles: '' } : context.brand ? lookOf(context.brand) : null;
      const job = { files: named, workbook, nowMs: context.now(), ...(brand && { brand }) };
      const made = await makeFiles(generators, 'sheets', job, context);
      const notes = named.some(({ format }) => format === 'xlsx') ? noteTemplate(context.brand, 'xlsx') : [];
      const shown = press ? named.find(({ format }) => format !== 'csv') : undefined;
      const { lines, pictures } = press && shown ? await lookAtPages(press, shown.path, context) : { lines: [], pictures: [] };
      return { ...made, output: [made.output, ...notes, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
    },
  });
}
