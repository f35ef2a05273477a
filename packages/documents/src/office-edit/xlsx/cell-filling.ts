import { Fault, invalidField } from '@errand/base/fault.ts';
import type { MissingWay } from '../edit-spec.ts';
import { cloneNode } from '../markup/markup-tree.ts';
import { reportFilling } from '../template/template-filling.ts';
import { readMarks, type TextMark } from '../template/template-marks.ts';
import { TemplateValues } from '../template/template-values.ts';
import { mostColumns, parseRange, writeRange } from './cell-address.ts';
import { CellWriter } from './cell-changes.ts';
import type { GivenValue } from './cell-values.ts';
import { translateFormula } from './formula-references.ts';
import { insertRows } from './row-insertion.ts';
import { formulasOf } from './shared-formulas.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** Rows that sections are repeated for, in one edit. */
const mostRows = 20_000;

/** What of a cell belongs to its value and its look. */
const carried = ['s', 't', 'cm', 'vm'];

/** A cell of a template. */
interface TemplateCell {
  column: number;
  /** The cell's words without the marks of sections; null if it has no marks. */
  words: string | null;
  formula: string | null;
}

interface Section {
  name: string;
  isInverted: boolean;
}

function readSection(texts: readonly string[], row: number): Section | null {
  const [open, close, more] = texts.flatMap(readMarks).filter(({ kind }) => kind !== 'field');
  if (!open) return null;
  if (open.kind !== 'close' && close?.kind === 'close' && close.name === open.name && !more)
    return { name: open.name, isInverted: open.kind === 'unless' };
  const marks = `{{#${open.name}}} and {{/${open.name}}}`;
  throw invalidField('path', `in row ${row} of the template ${marks} must enclose cells of this row, and no other section.`);
}

/** Replaces marks from the last, so that the places of those before still count. */
function replaceMarks(text: string, isMeant: (mark: TextMark) => boolean, textOf: (mark: TextMark) => string | null): string {
  return readMarks(text)
    .filter(isMeant)
    .toReversed()
    .reduce((filled, mark) => {
      const by = textOf(mark);
      return by === null ? filled : `${filled.slice(0, mark.from)}${by}${filled.slice(mark.to)}`;
    }, text);
}

/** What a filled cell gets: a number or a date if one field is all of it, and never a formula. */
function fillWords(words: string, values: TemplateValues): GivenValue {
  const [only, more] = readMarks(words);
  const isAlone = only !== undefined && !more && words.trim().length === only.to - only.from;
  const value = isAlone ? values.value(only.name) : null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value !== null) return /^[=']/.test(value) ? `'${value}` : value;
  const filled = isAlone
    ? words
    : replaceMarks(
        words,
        () => true,
        (mark) => values.text(mark.name),
      );
  return filled === '' ? '' : `'${filled}`;
}

/** Fills the fields and repeats the rows of one workbook. */
class CellFilling {
  readonly #workbook: Workbook;
  #rows = 0;
  readonly count = { fields: 0, sections: 0 };

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  /** Fills rows from the last to the first, so that earlier rows keep their numbers. */
  fill(sheet: Sheet, values: TemplateValues): void {
    const grid = this.#workbook.grid(sheet);
    for (const row of grid.rowNumbers().reverse()) {
      const texts = [...grid.row(row)].map(([, cell]) => (cell.child(sheetSpace, 'f') ? '' : this.#workbook.textOf(cell)));
      if (!texts.some((text) => readMarks(text).length > 0)) continue;
      const section = readSection(texts, row);
      if (section) this.#repeatRow(sheet, row, section, values);
      else this.#fillRow(sheet, row, this.#readCells(sheet, row), values);
    }
  }

  #readCells(sheet: Sheet, row: number): TemplateCell[] {
    const grid = this.#workbook.grid(sheet);
    const formulas = formulasOf(grid, row);
    return [...grid.row(row)].map(([column, cell]) => {
      const formula = formulas.get(column) ?? null;
      const text = formula === null ? this.#workbook.textOf(cell) : '';
      const isField = ({ kind }: TextMark) => kind === 'field';
      const hasMarks = readMarks(text).length > 0;
      const words = replaceMarks(
        text,
        (mark) => !isField(mark),
        () => '',
      );
      return { column, formula, words: hasMarks ? words : null };
    });
  }

  #repeatRow(sheet: Sheet, row: number, { name, isInverted }: Section, values: TemplateValues): void {
    const items = values.items(name);
    const scopes = isInverted ? (items.length === 0 ? [values] : []) : items.map((item) => values.within(item));
    const cells = this.#readCells(sheet, row);
    this.count.sections++;
    this.#rows += scopes.length;
    if (this.#rows > mostRows)
      throw new Fault('payload_too_large', `values: the sections would make more than ${mostRows} rows.`);
    if (scopes.length === 0) {
      const writer = new CellWriter(this.#workbook, sheet);
      for (const { column } of cells) writer.set({ row, column }, null, 'values');
      return;
    }
    if (scopes.length > 1) {
      const last = Math.max(row, this.#workbook.grid(sheet).lastUsedRow());
      const place = { at: row + 1, last, count: scopes.length - 1, dataFrom: row };
      insertRows(this.#workbook, { sheet, columns: { from: 1, to: mostColumns }, ...place }, `the row of {{#${name}}}`);
      this.#copyMerges(sheet, row, scopes.length - 1);
    }
    // The row of the template is filled last, when its copies are made.
    for (let at = scopes.length - 1; at >= 0; at--) {
      const scope = scopes[at];
      if (at > 0) this.#copyRow(sheet, row, row + at, cells);
      if (scope) this.#fillRow(sheet, row + at, cells, scope);
    }
  }

  #copyRow(sheet: Sheet, from: number, to: number, cells: readonly TemplateCell[]): void {
    const grid = this.#workbook.grid(sheet);
    const writer = new CellWriter(this.#workbook, sheet);
    for (const { column, formula } of cells) {
      const source = grid.cell({ row: from, column });
      const copy = grid.ensureCell({ row: to, column });
      for (const name of carried) copy.setAttribute(name, source?.attribute(name) ?? null);
      if (formula === null) copy.replaceChildren((source?.children ?? []).map((child) => cloneNode(child)));
      else writer.set({ row: to, column }, `=${translateFormula(formula, { row: from, column }, { row: to, column })}`, 'values');
    }
  }

  /** Joined cells of the row are joined in its copies too. */
  #copyMerges(sheet: Sheet, row: number, copies: number): void {
    const list = this.#workbook.grid(sheet).root.child(sheetSpace, 'mergeCells');
    for (const merge of list?.elements ?? []) {
      const range = parseRange(merge.attribute('ref') ?? '');
      if (range?.from.row !== row || range.to.row !== row) continue;
      for (let at = row + 1; at <= row + copies; at++) {
        const copy = cloneNode(merge);
        copy.setAttribute('ref', writeRange({ from: { ...range.from, row: at }, to: { ...range.to, row: at } }));
        list?.append(copy);
      }
    }
    list?.setAttribute('count', String(list.elements.length));
  }

  #fillRow(sheet: Sheet, row: number, cells: readonly TemplateCell[], values: TemplateValues): void {
    const writer = new CellWriter(this.#workbook, sheet);
    for (const { column, words } of cells) {
      if (words === null) continue;
      this.count.fields += readMarks(words).length;
      writer.set({ row, column }, fillWords(words, values), 'values');
    }
  }
}

/** Fills the fields of cells, and repeats rows for lists; formulas that read such a row read its copies too. */
export function fillCells(
  workbook: Workbook,
  given: Record<string, unknown>,
  { sheet, missing }: { sheet?: string | undefined; missing: MissingWay },
): string {
  const values = new TemplateValues([given], missing);
  const filling = new CellFilling(workbook);
  const sheets = sheet === undefined ? workbook.sheets() : [workbook.sheet(sheet)];
  for (const each of sheets) filling.fill(each, values);
  return reportFilling(filling, values);
}
