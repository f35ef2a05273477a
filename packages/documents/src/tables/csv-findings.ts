import { isUtf8 } from 'node:buffer';

/** Places that are named; of more only their number. */
const named = 5;

interface Line {
  number: number;
  cells: string[];
}

/** The records of comma-separated text (RFC 4180), as they stand, or what makes it unreadable. A part may end within a quoted cell. */
async function readLines(text: string, isWhole: boolean): Promise<Line[] | string> {
  const { CsvError, parse } = await import('csv-parse/sync');
  const read = (limit: { to?: number }) => {
    const options = { relax_column_count: true, skip_empty_lines: false, bom: true, info: true, ...limit } as const;
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ number: info.lines, cells: record }));
  };
  try {
    return read({});
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return 'a quote stands within a cell or behind its end';
    if (isWhole) return 'a quote is opened and never closed';
    const complete = Number(error.records);
    return complete > 0 ? read({ to: complete }) : [];
  }
}

function list(numbers: readonly number[]): string {
  const more = numbers.length > named ? ` and ${numbers.length - named} more` : '';
  return `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.slice(0, named).join(', ')}${more}`;
}

const isBlank = ({ cells }: Line) => cells.every((cell) => cell.trim() === '');

function checkHeader(header: readonly string[]): string[] {
  const unnamed = header.flatMap((name, at) => (name.trim() === '' ? [at + 1] : []));
  const twice = [...new Set(header.filter((name, at) => name.trim() !== '' && header.indexOf(name) !== at))];
  return [
    ...(unnamed.length > 0 ? [`columns without a name: ${unnamed.slice(0, named).join(', ')}`] : []),
    ...(twice.length > 0
      ? [
          `names that several columns have: ${twice
            .slice(0, named)
            .map((name) => JSON.stringify(name.slice(0, 40)))
            .join(', ')}`,
        ]
      : []),
  ];
}

function checkRows(header: readonly string[], rows: readonly Line[]): string[] {
  const blank = rows.filter(isBlank).map(({ number }) => number);
  const full = rows.filter((row) => !isBlank(row));
  const ragged = full.filter(({ cells }) => cells.length !== header.length).map(({ number }) => number);
  const empty = header.filter((_, at) => full.length > 0 && full.every(({ cells }) => (cells[at] ?? '').trim() === ''));
  return [
    ...(full.length === 0 ? ['no rows below the header'] : []),
    ...(blank.length > 0 ? [`empty rows: ${list(blank)}`] : []),
    ...(ragged.length > 0 ? [`rows that have not ${header.length} cells, as the header: ${list(ragged)}`] : []),
    ...(empty.length > 0
      ? [
          `columns without a value: ${empty
            .slice(0, named)
            .map((name) => JSON.stringify(name.slice(0, 40)))
            .join(', ')}`,
        ]
      : []),
  ];
}

/**
 * What a comma-separated file looks like, in words: how many rows and columns, and what its readers would stumble over.
 * @param bytes its start, of a few hundred kilobytes at most: it is read at once
 */
export async function examineCsv(bytes: Uint8Array, isWhole: boolean): Promise<{ summary: string; findings: string[] }> {
  // The last line of a part may be cut, also within a character.
  const end = isWhole ? bytes.length : Buffer.from(bytes).lastIndexOf(0x0a) + 1;
  const part = bytes.subarray(0, end);
  const lines = await readLines(new TextDecoder(isUtf8(part) ? 'utf-8' : 'windows-1252').decode(part), isWhole);
  const foreign = isUtf8(part) ? [] : ['it is not UTF-8, so programs show other letters'];
  if (typeof lines === 'string') return { summary: 'csv that cannot be read', findings: [...foreign, lines] };
  const [header, ...rows] = lines;
  if (!header || isBlank(header))
    return { summary: 'no rows', findings: [...foreign, 'it is empty, or begins with an empty line'] };
  const count = rows.filter((row) => !isBlank(row)).length;
  const summary = `${isWhole ? '' : 'more than '}${count} ${count === 1 && isWhole ? 'row' : 'rows'} of ${header.cells.length} ${header.cells.length === 1 ? 'column' : 'columns'}`;
  return { summary, findings: [...foreign, ...checkHeader(header.cells), ...checkRows(header.cells, rows)] };
}
