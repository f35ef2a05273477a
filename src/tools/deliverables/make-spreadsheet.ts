import { z } from 'zod';
import type { Generators } from '@errand/documents';
import { sheetFields, sheetFormats } from '@errand/documents/workbook-spec';
import { lookOf, noteTemplate } from '../brands/task-brand.ts';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const input = z.strictObject({
  files: z.array(z.string()).min(1).max(3).describe('Paths: .xlsx, .ods, .csv.'),
  ...sheetFields,
});

export function createMakeSpreadsheet(generators: Generators): Tool {
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
    async run({ files, ...workbook }, context) {
      const named = files.map((path, at) => ({ path, format: readFormat(path, sheetFormats, `files.${at}`) }));
      const look = context.brand ? { brand: lookOf(context.brand) } : {};
      const job = { files: named, workbook, nowMs: context.now(), ...look };
      const made = await makeFiles(generators, 'sheets', job, context);
      const notes = named.some(({ format }) => format === 'xlsx') ? noteTemplate(context.brand, 'xlsx') : [];
      return { ...made, output: [made.output, ...notes].join('\n') };
    },
  });
}
