import { z } from 'zod';
import type { Generators } from '@errand/documents';
import { kitThemes } from '@errand/documents/kit';
import { sheetFields, sheetFormats } from '@errand/documents/workbook-spec';
import type { Press } from '@errand/sandbox/press';
import { lookOf, noteTemplate } from '../brands/task-brand.ts';
import { lookAtCsv, lookAtPages } from '../pages/look-at-result.ts';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool, type ToolContext } from '../toolbox/tool.ts';

const input = z.strictObject({
  files: z.array(z.string()).min(1).max(3).describe('.xlsx, .ods, .csv'),
  ...sheetFields,
  theme: z
    .enum(kitThemes)
    .optional()
    .describe('The look of a theme of the skill design-kit, as other results have it.')
    .meta({ disclosure: 'later' }),
});

/** Larger workbooks have more pages than anybody looks at, and take an office program minutes. */
const largestLook = 256 * 1024;
/** The first pages hold what was made; the others are rows. */
const shownPages = 3;

/** What csv files look like, which nobody can be shown. */
async function describeTables(files: readonly { path: string }[], context: ToolContext): Promise<string[]> {
  const looks = await Promise.all(files.map(({ path }) => lookAtCsv(path, context)));
  return looks.flatMap(({ summary, findings }, at) => [
    `${files[at]?.path}: ${summary}.`,
    ...findings.map((finding) => `- ${finding}`),
  ]);
}

/** Shows the first pages of a workbook to the model that made it. */
async function lookAtWorkbook(press: Press | null, files: readonly { path: string; format: string }[], context: ToolContext) {
  const file = files.find(({ format }) => format !== 'csv');
  if (!file) return { lines: await describeTables(files, context), pictures: [] };
  if (!press) return { lines: [], pictures: [] };
  const start = await context.workspace.readStart(file.path, largestLook + 1);
  if (start.length > largestLook) return { lines: [], pictures: [] };
  return lookAtPages(press, file.path, context, shownPages);
}

/** @param press shows the result; null on a machine without a browser */
export function createMakeSpreadsheet(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'make_spreadsheet',
    description: 'Makes a spreadsheet. Headers are row 1; "=SUM(Sales!B2:B13)" is a formula, "2026-03-31" a date.',
    input,
    effect: 'retry',
    summarize: ({ files, title }) => ({
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
      const { lines, pictures } = await lookAtWorkbook(press, named, context);
      return { ...made, output: [made.output, ...notes, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
    },
  });
}
