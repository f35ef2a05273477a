import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { tableFormats, type TableRows } from '@errand/documents/table-file';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { renderRow } from '../../rules/rows/row-prompt.ts';
import { mostRows, type RowResult, type RowWork } from '../../rules/rows/row-work.ts';
import { readFormat } from '../deliverables/file-generation.ts';
import type { DocumentReader } from '../files/readers/document-reader.ts';
import { defineTool, type Tool, type ToolOutcome } from '../toolbox/tool.ts';
import { chooseColumns, readInput } from './input-table.ts';
import { joinResults, readRowSchema } from './output-table.ts';

const input = z.strictObject({
  file: z.string().optional().describe('.csv, .json(l), .xlsx'),
  instruction: z.string().trim().min(1).max(20_000),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of an answer.'),
  output: z.string().describe('.csv, .json(l)').meta({ disclosure: 'bare' }),
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(mostRows)
    .optional()
    .describe('Instead of a file.')
    .meta({ disclosure: 'later' }),
  sheet: z.string().max(200).optional().describe('The first one if left out.').meta({ disclosure: 'later' }),
  columns: z
    .array(z.string().max(1000))
    .min(1)
    .max(200)
    .optional()
    .describe('Those that the model sees; all if left out.')
    .meta({ disclosure: 'later' }),
  limit: z.int().min(1).max(mostRows).optional().describe('Only the first rows, to try it out.').meta({ disclosure: 'later' }),
});

type Input = z.infer<typeof input>;

const shownRows = 3;
const shownFailures = 20;
const shownLength = 300;

function cut(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text;
}

/** The input has to be there still if the call is run again after a crash. */
function checkOutput({ file, output }: Input): void {
  if (file === undefined || normaliseWorkspacePath(file) !== normaliseWorkspacePath(output)) return;
  throw invalidField('output', 'name another file than the one that is read.');
}

/** The work, named by everything that determines its answers. */
function planWork({ columns, rows }: TableRows, schema: RowWork['schema'], { instruction, limit, ...given }: Input): RowWork {
  const seen = chooseColumns({ columns, rows }, given.columns);
  const names = seen.map((at) => columns[at] ?? '');
  const texts = rows.map((cells) =>
    renderRow(
      names,
      seen.map((at) => cells[at]),
    ),
  );
  const hash = createHash('sha256');
  for (const part of [instruction, JSON.stringify(schema), ...texts]) hash.update(`${part.length}:${part}`);
  return { job: hash.digest('hex'), instruction, schema, rows: texts.slice(0, limit) };
}

function describeFailures(results: readonly RowResult[]): string[] {
  const failures = results.flatMap((result, at) => (result.state === 'failed' ? [`- row ${at + 1}: ${cut(result.reason)}`] : []));
  if (failures.length === 0) return [];
  const more = failures.length > shownFailures ? [`- and ${failures.length - shownFailures} more: see the column map_error`] : [];
  return [
    'Failed:',
    ...failures.slice(0, shownFailures),
    ...more,
    'The same call again asks only about these. What is answered is not asked again.',
  ];
}

function summarize(path: string, all: number, table: TableRows, results: readonly RowResult[]): ToolOutcome {
  const failed = results.filter(({ state }) => state === 'failed').length;
  const done = results.length - failed;
  const part = results.length < all ? `, the first of ${all},` : '';
  const first = table.rows.slice(0, shownRows).map((cells) => cut(renderRow(table.columns, cells)));
  const output = [
    `${done} of ${results.length} rows${part} are answered${failed > 0 ? `, ${failed} failed` : ''}. The table is ${normaliseWorkspacePath(path)}.`,
    ...describeFailures(results),
    `Its first rows, numbered from 1 without the header:`,
    ...first,
  ].join('\n');
  return { status: done > 0 ? 'success' : 'error', output };
}

export interface MapParts {
  generators: Generators;
  documents: DocumentReader;
}

/** Asks the model about the rows of a table one by one, so that neither the table nor the answers have to pass through the conversation. */
export function createMapRows({ generators, documents }: MapParts): Tool {
  return defineTool({
    name: 'map_rows',
    description: 'Has a model add columns to each row of a table (up to 1,000).',
    input,
    effect: 'retry',
    reads: 'files',
    summarize: ({ file, output }) => ({
      brief: file === undefined ? `Working on rows for ${output}` : `Working on the rows of ${file}`,
      action: 'Working on rows',
      param: file ?? output,
    }),
    async run(given, context) {
      const { mapRows, accountId: owner, workspace, signal } = context;
      const format = readFormat(given.output, tableFormats, 'output');
      checkOutput(given);
      const table = await readInput(given, { generators, documents }, context);
      const schema = readRowSchema(given.schema, table.columns);
      const results = await mapRows(planWork(table, schema, given));
      const joined = joinResults(table, schema, results);
      const job = { do: 'write' as const, path: given.output, format, table: joined };
      const readFile = () => Promise.reject(new Error('a table is written without reading'));
      const { files } = await generators.make('table', job, { owner, signal, readFile });
      for (const { path, bytes } of files) await workspace.write(path, bytes);
      return summarize(given.output, table.rows.length, joined, results);
    },
  });
}
