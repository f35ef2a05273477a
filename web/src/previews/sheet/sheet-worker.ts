import { PreviewFault } from '../preview-fault.ts';
import { answerCalls } from '../worker-call.ts';
import { checkUnpackedSize } from '../zip-directory.ts';
import { decodeText } from '../decode-text.ts';
import { type CellValue, guessDelimiter, mostCells, mostRows, mostSheets, presentSheet, type SheetData } from './sheet-data.ts';

export interface SheetQuestion {
  bytes: Uint8Array<ArrayBuffer>;
  format: 'text' | 'xlsx' | 'xls' | 'ods';
}

const mostUnpackedBytes = 200_000_000;

interface Workbook {
  sheets: readonly { name: string; rows: readonly (readonly CellValue[])[] }[];
}

async function readText(bytes: Uint8Array): Promise<Workbook> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const text = decodeText(bytes);
  const rows = parse(text, {
    delimiter: guessDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    to: mostRows + 1,
    max_record_size: 1_000_000,
  });
  return { sheets: [{ name: '', rows }] };
}

async function readWorkbook({ bytes, format }: SheetQuestion): Promise<Workbook> {
  if (format === 'text') return readText(bytes);
  const options = { maxRows: mostRows + 1 };
  if (format === 'xls') return (await import('hucre/xlsx')).readXls(bytes, options);
  checkUnpackedSize(bytes, mostUnpackedBytes);
  return format === 'ods'
    ? (await import('hucre/ods')).readOds(bytes, options)
    : (await import('hucre/xlsx')).readXlsx(bytes, options);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message);
}

answerCalls(async (question: SheetQuestion): Promise<SheetData[]> => {
  try {
    const { sheets } = await readWorkbook(question);
    let cells = mostCells;
    return sheets.slice(0, mostSheets).map(({ name, rows }) => {
      const shown = presentSheet(name, rows, cells);
      cells -= shown.rows.length * shown.columnCount;
      return shown;
    });
  } catch (error) {
    throw isLocked(error) ? new PreviewFault('locked', error) : error;
  }
});
