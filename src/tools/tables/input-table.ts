import { invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { mostTableColumns, type TableFormat, tableFormats, type TableRows } from '@errand/documents/table-file';
import { mostRows } from '../../rules/rows/row-work.ts';
import { readFormat } from '../deliverables/file-generation.ts';
import type { DocumentReader } from '../files/readers/document-reader.ts';
import { findKind } from '../files/text/file-kind.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** The most bytes of a text file, which is read into memory as a whole. */
const mostBytes = 8 * 1024 * 1024;
const mostWorkbookBytes = 32 * 1024 * 1024;

const workbookFormats = ['xlsx', 'xls', 'ods'] as const;
const inputFormats = [...tableFormats, ...workbookFormats];

/** Where rows come from. */
export interface RowSource {
  file?: string | undefined;
  rows?: readonly Record<string, unknown>[] | undefined;
  sheet?: string | undefined;
}

interface TableTools {
  generators: Generators;
  documents: DocumentReader;
}

type Context = Pick<ToolContext, 'accountId' | 'workspace' | 'signal'>;

/** One sheet as the bytes of a csv file. */
async function readSheet(path: string, sheet: string, documents: DocumentReader, context: Context): Promise<Uint8Array> {
  const { accountId: owner, workspace, signal } = context;
  const source = await workspace.read(path, mostWorkbookBytes);
  return Buffer.from((await documents({ source, kind: findKind(source), sheet }, { owner, signal })).text);
}

function listRows(rows: readonly Record<string, unknown>[]): TableRows {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > mostTableColumns) throw invalidField('rows', `they have more than ${mostTableColumns} columns.`);
  return { columns, rows: rows.map((row) => columns.map((column) => (Object.hasOwn(row, column) ? row[column] : null))) };
}

function isTableFormat(format: (typeof inputFormats)[number]): format is TableFormat {
  return tableFormats.some((each) => each === format);
}

/** The rows of a file, read in a thread, or of the call itself. Throws a Fault that says what is wrong with them. */
export async function readInput(source: RowSource, { generators, documents }: TableTools, context: Context): Promise<TableRows> {
  const { file, rows, sheet = '' } = source;
  if ((file === undefined) === (rows === undefined)) throw invalidField('file', 'name a file, or list the rows: one of the two.');
  if (file === undefined) return listRows(rows ?? []);
  const format = readFormat(file, inputFormats, 'file');
  const readFile = () =>
    isTableFormat(format) ? context.workspace.read(file, mostBytes) : readSheet(file, sheet, documents, context);
  const job = { do: 'read' as const, path: file, format: isTableFormat(format) ? format : ('csv' as const), mostRows };
  const { accountId: owner, signal } = context;
  const { files } = await generators.make('table', job, { owner, signal, readFile });
  return JSON.parse(Buffer.from(files[0]?.bytes ?? []).toString()) as TableRows;
}

/** The positions of these columns; all of them if none are named. */
export function chooseColumns({ columns }: TableRows, names: readonly string[] | undefined): number[] {
  if (names === undefined) return columns.map((_, at) => at);
  return names.map((name, index) => {
    const at = columns.indexOf(name);
    if (at !== -1) return at;
    const known = columns.slice(0, 30).map((column) => JSON.stringify(column));
    throw invalidField(`columns.${index}`, `there is no column ${JSON.stringify(name)}. The columns are ${known.join(', ')}.`);
  });
}
