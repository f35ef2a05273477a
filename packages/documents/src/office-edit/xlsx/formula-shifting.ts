import { invalidField } from '@errand/base/fault.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { parseAddress, parseRange } from './cell-address.ts';
import { mapReferences, type Reference, spansSheets, writeReference } from './formula-references.ts';
import { type FormulaPlace, listFormulas } from './formula-parts.ts';
import { type RowShift, shiftReference } from './row-shift.ts';
import { separateFormulas } from './shared-formulas.ts';
import type { Sheet, Workbook } from './workbook.ts';

const printArea = /^_xlnm\.Print_Area$/i;
/** What these mean by a row without `$` depends on the cell that they are computed for. */
const perCell = /^(formula|formula1|formula2|calculatedColumnFormula|definedName)$/;
const holders = /^(conditionalFormatting|dataValidation)$/;

function findHolder(element: MarkupElement): MarkupElement | null {
  let holder: MarkupElement | null = element;
  while (holder && !holders.test(holder.local)) holder = holder.parent;
  return holder;
}

/** Whether each cell for which a formula is computed moves with the formula's own references. */
function movesWhole({ at, last }: RowShift, holder: MarkupElement): boolean {
  const places = (holder.attribute('sqref') ?? '').split(' ').map(parseRange);
  return places.every((place) => place !== null && place.from.row >= at && place.to.row <= last);
}

function takesFixedOnly(shift: RowShift, element: MarkupElement): boolean {
  const holder = findHolder(element);
  return holder ? !movesWhole(shift, holder) : perCell.test(element.local);
}

function isFixed({ from, to }: Reference): boolean {
  return from.isRowFixed && (to === null || to.isRowFixed);
}

interface ShiftOptions {
  /** Only references that do not depend on the cell of the formula. */
  fixedOnly?: boolean;
  /** An area to print may grow over what stands beside it. */
  isArea?: boolean;
  /** The row of the formula's cell. */
  row?: number | undefined;
}

/** Moves the references of one workbook's formulas as rows are put into one of its sheets. */
export class FormulaShifting {
  readonly #workbook: Workbook;
  readonly #shift: RowShift;
  readonly #name: string;

  constructor(workbook: Workbook, shift: RowShift) {
    this.#workbook = workbook;
    this.#shift = shift;
    this.#name = shift.sheet.name.toLowerCase();
  }

  /** Whether a column beside the ones that move has a cell in the rows that change. */
  #hasCells({ from, to }: { from: number; to: number }): boolean {
    const grid = this.#workbook.grid(this.#shift.sheet);
    const { at, last, count } = this.#shift;
    return grid
      .rowNumbers()
      .filter((row) => row >= at && row <= last + count)
      .some((row) => [...grid.row(row)].some(([column, cell]) => column >= from && column <= to && cell.elements.length > 0));
  }

  /**
   * A formula of the sheet `own`, with its references moved. Throws a Fault if it reads cells that move and others beside them, which one
   * range cannot follow.
   */
  shiftText(text: string, own: Sheet | null, options: ShiftOptions = {}): string {
    const spans = spansSheets(text);
    return mapReferences(text, (reference) => {
      const isOwn =
        reference.sheet === null ? own?.part === this.#shift.sheet.part : reference.sheet.toLowerCase() === this.#name;
      if ((!isOwn && !spans) || (options.fixedOnly && !isFixed(reference))) return null;
      const shifted = shiftReference(this.#shift, reference, own?.part === this.#shift.sheet.part ? options.row : undefined);
      if (!shifted) return null;
      if (spans) throw this.#refuse(text, 'reads several sheets at once, and the rows of only one of them move');
      if (!options.isArea && shifted.beside.some((each) => this.#hasCells(each)))
        throw this.#refuse(text, 'reads cells that move together with cells beside them, which stay');
      return writeReference(shifted.reference);
    });
  }

  #refuse(text: string, problem: string): Error {
    const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
    return invalidField(
      'rows',
      `the formula ${shown} ${problem}. Change it first, or put the rows in with a spreadsheet program.`,
    );
  }

  #shiftPlace({ element, sheet }: FormulaPlace): boolean {
    const { text } = element;
    if (!/\d/.test(text)) return false;
    const isArea = element.local === 'definedName' && printArea.test(element.attribute('name') ?? '');
    const row = parseAddress(element.parent?.attribute('r') ?? '')?.row;
    const shifted = this.shiftText(text, sheet, { fixedOnly: !isArea && takesFixedOnly(this.#shift, element), isArea, row });
    if (shifted === text) return false;
    element.text = shifted;
    return true;
  }

  /** Moves them all; returns how many formulas, charts, and names were changed. */
  run(): number {
    const { sheet: moved, at, last } = this.#shift;
    for (const sheet of this.#workbook.sheets()) {
      const isMoved = (row: number) => sheet.part === moved.part && row >= at && row <= last;
      separateFormulas(
        this.#workbook.grid(sheet),
        (text, { row }) => isMoved(row) || this.shiftText(text, sheet, { row }) !== text,
      );
    }
    let count = 0;
    const hasFormula = /<(?:\w+:)?f[\s>]/;
    for (const place of listFormulas(this.#workbook, (raw) => hasFormula.test(raw))) if (this.#shiftPlace(place)) count++;
    return count;
  }
}
