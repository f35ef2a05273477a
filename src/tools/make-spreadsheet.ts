import { z } from 'zod';
import type { Makers } from '../makers/maker-threads.ts';
import { sheetFields, sheetFormats } from '../makers/sheets/workbook-spec.ts';
import { makeFiles, readFormat } from './file-making.ts';
import { defineTool, type Tool } from './tool.ts';

const input = z.strictObject({
  files: z
    .array(z.string())
    .min(1)
    .max(3)
    .describe('Where it goes, one path for each form: ["sales.xlsx", "sales.csv"]; .xlsx, .ods or .csv (the first sheet).'),
  ...sheetFields,
});

export function createMakeSpreadsheet(makers: Makers): Tool {
  return defineTool({
    name: 'make_spreadsheet',
    description: `Makes a spreadsheet (Excel, OpenDocument, csv) with typed columns, formulas, totals and charts.
Headers are row 1, so the first row of cells is row 2. A cell that begins with = is a formula, such as "=B2*C2" or "=SUM(Sales!B2:B13)"; it is computed at once where possible. Dates are "2026-03-31". For data that is in a csv file name the file; do not copy it.
Up to 30 sheets, 200 columns, 20,000 rows in the call (200,000 from a file). Formulas may not reach other files, programs or addresses.
Example: {"files": ["sales.xlsx"], "sheets": [{"name": "Sales", "columns": [{"header": "Month", "type": "date", "format": "mmm yyyy"}, {"header": "Revenue", "type": "currency", "total": "sum"}], "rows": [["2026-01-01", 1200], ["2026-02-01", 1350.5]], "charts": [{"type": "line", "title": "Revenue", "x": "Month", "y": ["Revenue"]}]}]}.`,
    input,
    effect: 'retry',
    account: ({ files, title }) => ({
      brief: `Making ${title || files[0] || ''}`,
      action: 'Making spreadsheet',
      param: files.join(', '),
    }),
    async run({ files, ...workbook }, context) {
      const named = files.map((path, at) => ({ path, format: readFormat(path, sheetFormats, `files.${at}`) }));
      return await makeFiles(makers, 'sheets', { files: named, workbook, nowMs: context.now() }, context);
    },
  });
}
