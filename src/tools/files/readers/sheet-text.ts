import { Fault, invalidField } from '@errand/base/fault.ts';
import { listCellComments } from './office-remarks.ts';
import { describeFormulas, type SheetFormulas } from './sheet-formulas.ts';
import { repack } from './office-text.ts';
import type { Parts } from './package-parts.ts';
import { longestReading, type Reading } from './document-reading.ts';

const maxRows = 100_000;

type CellValue = string | number | boolean | Date | null;

interface Workbook {
  sheets: readonly { name: string; rows: readonly (readonly CellValue[])[]; cells?: ReadonlyMap<string, { formula?: string }> }[];
}

/** Comments by sheet. */
type Comments = ReadonlyMap<string, readonly string[]>;

function writeCell(value: CellValue | undefined): string {
  const text = value instanceof Date ? value.toISOString().replace('T00:00:00.000Z', '') : String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function listFormulas(cells: Workbook['sheets'][number]['cells']): SheetFormulas {
  return new Map([...(cells ?? [])].flatMap(([key, { formula }]) => (formula === undefined ? [] : [[key, formula] as const])));
}

/** The values of a row, with formulas in the place of results that the file does not have, as programs write it that compute nothing. */
function fillRow(row: readonly CellValue[], at: number, formulas: SheetFormulas): readonly CellValue[] {
  return row.map((value, column) => {
    const formula = value === null ? formulas.get(`${at},${column}`) : undefined;
    return formula === undefined ? value : `=${formula}`;
  });
}

/** What a reader sees only the results of. */
function withoutShown(formulas: SheetFormulas, rows: readonly (readonly CellValue[])[]): SheetFormulas {
  return new Map(
    [...formulas].filter(([key]) => {
      const [row = 0, column = 0] = key.split(',').map(Number);
      return rows[row]?.[column] !== null;
    }),
  );
}

/** Each sheet as lines of comma-separated values, its formulas, and the comments on cells. */
function present({ sheets }: Workbook, comments: Comments = new Map()): Reading {
  const texts: string[] = [];
  let length = 0;
  for (const { name, rows, cells } of sheets) {
    const lines: string[] = [];
    const formulas = listFormulas(cells);
    for (const [at, row] of rows.entries()) {
      const line = fillRow(row, at, formulas).map(writeCell).join(',').replace(/,+$/, '');
      length += line.length + 1;
      if (length > longestReading) break;
      lines.push(line);
    }
    const facts = [`${rows.length} rows`, ...(formulas.size > 0 ? [`${formulas.size} cells with formulas`] : [])].join(', ');
    const remarks = comments.get(name) ?? [];
    const said = remarks.length === 0 ? [] : ['Comments:', ...remarks];
    texts.push(
      [`--- sheet "${name}" (${facts}) ---`, ...lines, ...describeFormulas(withoutShown(formulas, rows)), ...said].join('\n'),
    );
  }
  const names = sheets.length === 1 ? '1 sheet' : `${sheets.length} sheets`;
  return { what: `spreadsheet, ${names}`, text: texts.join('\n\n') };
}

/** One sheet by its name, in full. */
function presentOne(workbook: Workbook, wanted: string): Reading {
  const sheet = workbook.sheets.find(({ name }) => wanted === '' || name === wanted);
  const names = workbook.sheets.slice(0, 30).map(({ name }) => JSON.stringify(name));
  if (!sheet) throw invalidField('sheet', `there is no sheet ${JSON.stringify(wanted)}. The sheets are ${names.join(', ')}.`);
  const text = sheet.rows.map((row) => row.map(writeCell).join(',')).join('\n');
  if (text.length > longestReading) throw new Fault('payload_too_large', 'The sheet is larger than can be read. Split it.');
  return { what: `sheet ${JSON.stringify(sheet.name)}`, text };
}

function show(workbook: Workbook, sheet: string | undefined, comments?: Comments): Reading {
  return sheet === undefined ? present(workbook, comments) : presentOne(workbook, sheet);
}

export async function readWorkbook(parts: Parts, sheet?: string): Promise<Reading> {
  const { readXlsx } = await import('hucre/xlsx');
  return show(await readXlsx(repack(parts), { maxRows }), sheet, listCellComments(parts));
}

export async function readOpenWorkbook(parts: Parts, sheet?: string): Promise<Reading> {
  const { readOds } = await import('hucre/ods');
  return show(await readOds(repack(parts), { maxRows }), sheet);
}

/** Excel before 2007. */
export async function readOldWorkbook(bytes: Uint8Array, sheet?: string): Promise<Reading> {
  const { readXls } = await import('hucre/xlsx');
  return show(await readXls(bytes, { maxRows }), sheet);
}
