import { PreviewFault } from '../files/preview-fault.ts';
import { answerCalls } from '../files/worker-call.ts';
import { checkUnpackedSize } from '../files/zip-directory.ts';
import { decodeText } from '../files/decode-text.ts';
import { guessDelimiter, makeTextSheet } from './separated-text.ts';
import { mostCells, mostRows, mostSheets, presentSheet, type SheetData, type SheetSource } from './sheet-data.ts';

export interface SheetQuestion {
  bytes: Uint8Array<ArrayBuffer>;
  format: 'text' | 'xlsx' | 'xls' | 'ods';
}

const mostUnpackedBytes = 200_000_000;
/** Unpacked size up to which styles are read; they take much memory, so larger files show values only. */
const mostStyledBytes = 40_000_000;

interface Workbook {
  sheets: readonly (SheetSource & { hidden?: boolean; veryHidden?: boolean })[];
  themeColors?: readonly string[];
}

async function readText(bytes: Uint8Array): Promise<Workbook> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const text = decodeText(bytes);
  const rows: string[][] = parse(text, {
    delimiter: guessDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    to: mostRows + 1,
    max_record_size: 1_000_000,
  });
  return { sheets: [makeTextSheet(rows)] };
}

async function readWorkbook({ bytes, format }: SheetQuestion): Promise<Workbook> {
  if (format === 'text') return readText(bytes);
  const options = { maxRows: mostRows + 1 };
  if (format === 'xls') return (await import('hucre/xlsx')).readXls(bytes, { ...options, readStyles: true });
  const unpacked = checkUnpackedSize(bytes, mostUnpackedBytes);
  const styled = { ...options, readStyles: unpacked <= mostStyledBytes };
  return format === 'ods'
    ? (await import('hucre/ods')).readOds(bytes, styled)
    : (await import('hucre/xlsx')).readXlsx(bytes, styled);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message);
}

answerCalls(async (question: SheetQuestion): Promise<SheetData[]> => {
  try {
    const { sheets, themeColors: theme = [] } = await readWorkbook(question);
    let cells = mostCells;
    const open = sheets.filter(({ hidden, veryHidden }) => hidden !== true && veryHidden !== true);
    return (open.length > 0 ? open : sheets).slice(0, mostSheets).map((sheet) => {
      const shown = presentSheet(sheet, { cells, theme });
      cells -= shown.rows.length * shown.columnCount;
      return shown;
    });
  } catch (error) {
    throw isLocked(error) ? new PreviewFault('locked', error) : error;
  }
});
