import { listCellComments } from './office-remarks.ts';
import { repack } from './office-text.ts';
import type { Parts } from './package-parts.ts';
import { longestReading, type Reading } from './document-reading.ts';

const maxRows = 100_000;

type CellValue = string | number | boolean | Date | null;

interface Workbook {
  sheets: readonly { name: string; rows: readonly (readonly CellValue[])[]; cells?: ReadonlyMap<string, { formula?: string }> }[];
}

function writeCell(value: CellValue | undefined): string {
  const text = value instanceof Date ? value.toISOString().replace('T00:00:00.000Z', '') : String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Each sheet as lines of comma-separated values, how many cells are computed, and the comments on cells. */
function present({ sheets }: Workbook, comments: ReadonlyMap<string, readonly string[]> = new Map()): Reading {
  const texts: string[] = [];
  let length = 0;
  for (const { name, rows, cells } of sheets) {
    const lines: string[] = [];
    for (const row of rows) {
      const line = row.map(writeCell).join(',').replace(/,+$/, '');
      length += line.length + 1;
      if (length > longestReading) break;
      lines.push(line);
    }
    const formulas = [...(cells ?? [])].filter(([, cell]) => cell.formula !== undefined).length;
    const facts = [`${rows.length} rows`, ...(formulas > 0 ? [`${formulas} cells with formulas`] : [])].join(', ');
    const remarks = comments.get(name) ?? [];
    const said = remarks.length === 0 ? [] : ['Comments:', ...remarks];
    texts.push([`--- sheet "${name}" (${facts}) ---`, ...lines, ...said].join('\n'));
  }
  const names = sheets.length === 1 ? '1 sheet' : `${sheets.length} sheets`;
  return { what: `spreadsheet, ${names}`, text: texts.join('\n\n') };
}

export async function readWorkbook(parts: Parts): Promise<Reading> {
  const { readXlsx } = await import('hucre/xlsx');
  return present(await readXlsx(repack(parts), { maxRows }), listCellComments(parts));
}

export async function readOpenWorkbook(parts: Parts): Promise<Reading> {
  const { readOds } = await import('hucre/ods');
  return present(await readOds(repack(parts), { maxRows }));
}

/** Excel before 2007. */
export async function readOldWorkbook(bytes: Uint8Array): Promise<Reading> {
  const { readXls } = await import('hucre/xlsx');
  return present(await readXls(bytes, { maxRows }));
}
