import type { KeyboardEvent, MouseEvent } from 'react';
import type { SheetData } from './sheet-data.ts';
import type { CellPlace } from './sheet-line.tsx';

const stepByKey: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** Selects cells: with the pointer, and with arrow keys from the selected one. */
export function useCellChoice(
  sheet: SheetData,
  chosen: CellPlace | null,
  onChoose: (place: CellPlace) => void,
  scrollIntoView: (place: CellPlace) => void,
) {
  const choose = ({ target }: MouseEvent) => {
    const [row, column] = (target as Element).closest<HTMLElement>('[data-cell]')?.dataset['cell']?.split(',') ?? [];
    if (row !== undefined) onChoose({ row: Number(row), column: Number(column) });
  };
  const press = (event: KeyboardEvent) => {
    const step = stepByKey[event.key];
    if (!step || !chosen || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = {
      row: clamp(chosen.row + step[0], sheet.rows.length),
      column: clamp(chosen.column + step[1], sheet.columnCount),
    };
    onChoose(next);
    scrollIntoView(next);
  };
  return { choose, press };
}
