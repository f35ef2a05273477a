import type { SheetSource } from './sheet-data.ts';

/** The delimiter of a text: the one that occurs most evenly in the first lines. */
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

/** Whether the first row is a header: only text, with rows below. */
function hasHead([head, ...rest]: readonly (readonly string[])[]): boolean {
  if (!head || head.length < 2 || rest.length === 0) return false;
  return head.every((text) => text.trim() !== '' && !/^[-+\d.,\s%€$£]+$/.test(text));
}

/** Delimited values as a sheet, whose first row is frozen if it is a header. */
export function makeTextSheet(rows: readonly (readonly string[])[]): SheetSource {
  if (!hasHead(rows)) return { name: '', rows };
  const style = { font: { bold: true } };
  const cells = new Map((rows[0] ?? []).map((_, column) => [`0,${column}`, { style }] as const));
  return { name: '', rows, cells, freezePane: { rows: 1 } };
}
