/** A cell as it is shown; numbers stand at the right. */
export interface SheetCell {
  text: string;
  isNumber: boolean;
}

/** One sheet of a workbook, as much of it as is shown. */
export interface SheetData {
  name: string;
  rows: readonly (readonly SheetCell[])[];
  columnCount: number;
  /** Whether there are more rows or columns than are shown. */
  isCut: boolean;
}

/** What is shown of one sheet at most. */
export const mostRows = 50_000;
export const mostColumns = 256;
export const mostSheets = 50;
/** Of all sheets together: every cell travels from the worker to the page. */
export const mostCells = 1_000_000;
const longestCell = 500;

export type CellValue = string | number | boolean | Date | null | undefined;

const numberLike = /^[-+]?(\d{1,3}([,.  ]\d{3})+|\d+)?([.,]\d+)?( ?%)?$/;

function showValue(value: CellValue): SheetCell {
  if (value === null || value === undefined) return { text: '', isNumber: false };
  if (typeof value === 'number') return { text: String(Number(value.toPrecision(15))), isNumber: true };
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .replace(/T00:00:00\.000Z$|\.000Z$/, '')
          .replace('T', ' ');
    return { text, isNumber: false };
  }
  const text = String(value).slice(0, longestCell);
  return { text, isNumber: /\d/.test(text) && numberLike.test(text.trim()) };
}

/** The part of a sheet that is shown, without the empty rows at its end; at most so many cells of it. */
export function presentSheet(name: string, rows: readonly (readonly CellValue[])[], cells = mostCells): SheetData {
  const isFilled = (value: CellValue) => value !== null && value !== undefined && value !== '';
  const last = rows.findLastIndex((row) => row.some(isFilled));
  const widest = rows.reduce((most, row) => Math.max(most, row.findLastIndex(isFilled) + 1), 0);
  const columnCount = Math.min(widest, mostColumns);
  const rowCount = Math.min(last + 1, mostRows, Math.floor(cells / Math.max(1, columnCount)));
  return {
    name,
    rows: rows.slice(0, rowCount).map((row) => row.slice(0, columnCount).map(showValue)),
    columnCount,
    isCut: last + 1 > rowCount || widest > columnCount,
  };
}

/** The sign between the values of a text: the one that the first lines have most evenly. */
export function guessDelimiter(text: string): string {
  const lines = text
    .split(/\r?\n/, 11)
    .filter((line) => line !== '')
    .slice(0, 10);
  const scored = [',', ';', '\t', '|'].map((sign) => {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const least = Math.min(...counts);
    return { sign, score: Number.isFinite(least) ? least * 1000 + Math.max(0, ...counts) : 0 };
  });
  return scored.toSorted((left, right) => right.score - left.score)[0]?.sign ?? ',';
}

/** How spreadsheets call a column: A to Z, then AA. */
export function nameColumn(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : nameColumn(Math.floor(index / 26) - 1) + letter;
}
