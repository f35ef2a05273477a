import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { formatNumber } from '../charts/number-format.ts';
import { shareColumns } from '../tables/column-widths.ts';
import { textWidth } from '../fonts/text-width.ts';
import { readNumberText } from '../tables/number-text.ts';
import type { CellText, Element, Frame } from './deck-scene.ts';
import type { TableSpec } from './deck-spec.ts';
import { fieldOf, type SlideParts } from './slide-parts.ts';
import { countLines } from './text-fit.ts';

const padding = 14;
const smallest = 12;

function writeCell(value: string | number | null | undefined): CellText {
  if (typeof value === 'number') return { text: formatNumber(value), isRight: true };
  const text = cleanLine(value ?? '');
  return { text, isRight: text !== '' && readNumberText(text) !== null };
}

/** A column is right-aligned if all its cells are numbers. */
function alignColumns(columns: CellText[], rows: CellText[][]): void {
  for (const [at, column] of columns.entries()) {
    const cells = rows.flatMap((row) => row[at] ?? []).filter(({ text }) => text !== '');
    column.isRight = cells.length > 0 && cells.every(({ isRight }) => isRight);
    for (const cell of cells) cell.isRight = column.isRight;
  }
}

/** A table in the largest type in which it fits. */
export function layTable(parts: SlideParts, table: TableSpec, frame: Frame): Element[] {
  const columns = table.columns.map(writeCell);
  const rows = table.rows.map((row) => columns.map((_, at) => writeCell(row[at])));
  alignColumns(columns, rows);
  const all = [columns, ...rows];
  for (let size = 22; size >= smallest; size -= 1) {
    const requests = columns.map((_, at) => {
      const texts = all.map((row) => row[at]?.text ?? '');
      const wide = (text: string) => textWidth(text, true) * size * 1.04 + 2 * padding;
      const words = texts.flatMap((text) => text.split(' '));
      return { widest: Math.max(...texts.map(wide)), longestWord: Math.max(...words.map(wide)) };
    });
    const widths = shareColumns(requests, frame.width);
    const most = Math.max(
      ...all.map((row) => Math.max(...row.map(({ text }, at) => countLines(text, size, (widths[at] ?? 0) - 2 * padding, true)))),
    );
    const rowHeight = most * size * 1.25 + size * 0.8;
    if (rowHeight * all.length <= frame.height) return [{ kind: 'table', frame, columns, rows, widths, rowHeight, size }];
  }
  throw invalidField(
    fieldOf(parts, 'table'),
    'is too much for one slide. Leave columns or rows out, or divide it into two slides.',
  );
}
