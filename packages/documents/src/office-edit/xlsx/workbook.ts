import { invalidField } from '@errand/base/fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { insertAfter, type MarkupElement } from '../markup/markup-tree.ts';
import { type OfficePackage, prefixOf } from '../package/office-package.ts';
import type { CellAddress } from './cell-address.ts';
import { ChangedCells } from './changed-cells.ts';
import { SheetGrid } from './sheet-grid.ts';
import { sheetSpace } from './sheet-space.ts';

export const relationAttributes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface Sheet {
  name: string;
  part: string;
  /** The sheet's entry in the list of sheets. */
  entry: MarkupElement;
}

/** A workbook that is being edited. */
export class Workbook {
  readonly parts: OfficePackage;
  readonly main: string;
  #shared: readonly string[] | null = null;
  readonly #grids = new Map<string, SheetGrid>();
  /** Cells whose value was changed, by the part of the sheet. */
  readonly changed = new Map<string, ChangedCells>();
  /** Cells whose formula was given, by the part of the sheet. */
  readonly written = new Map<string, ChangedCells>();
  hasNewFormulas = false;

  constructor(parts: OfficePackage, main: string) {
    this.parts = parts;
    this.main = main;
  }

  get root(): MarkupElement {
    return this.parts.root(this.main);
  }

  sheets(): Sheet[] {
    const targets = new Map(this.parts.relations(this.main).map(({ id, type, target }) => [id, { type, target }]));
    const list = this.root.child(sheetSpace, 'sheets')?.elements ?? [];
    return list.flatMap((entry) => {
      const { type, target = '' } = targets.get(entry.attribute('id', relationAttributes) ?? '') ?? {};
      const name = entry.attribute('name');
      return type === 'worksheet' && name !== undefined && this.parts.has(target) ? [{ name, part: target, entry }] : [];
    });
  }

  /** The sheet of this name; without a name the only one. */
  sheet(name: string | undefined): Sheet {
    const sheets = this.sheets();
    const names = sheets.map((each) => JSON.stringify(each.name)).slice(0, 40);
    const [only] = sheets;
    if (name === undefined) {
      if (only && sheets.length === 1) return only;
      throw invalidField('sheet', `is missing; the workbook has ${names.join(', ')}.`);
    }
    const found = sheets.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    const nearest = findNearestName(
      name,
      sheets.map((each) => each.name),
    );
    const meant = nearest === null ? '' : ` Perhaps ${JSON.stringify(nearest)} is meant.`;
    throw invalidField('sheet', `there is no sheet ${JSON.stringify(name)}.${meant} There are ${names.join(', ')}.`);
  }

  grid({ part }: Sheet): SheetGrid {
    const known = this.#grids.get(part);
    if (known) return known;
    const grid = new SheetGrid(this.parts.root(part, (local) => local === 'row'));
    this.#grids.set(part, grid);
    return grid;
  }

  /** The text of a cell as it is stored; that of a formula is its last result. */
  textOf(cell: MarkupElement): string {
    const value = cell.child(sheetSpace, 'v')?.text ?? '';
    if (cell.attribute('t') === 'inlineStr') return richText(cell.child(sheetSpace, 'is'));
    return cell.attribute('t') === 's' ? (this.#strings()[Number(value)] ?? '') : value;
  }

  #strings(): readonly string[] {
    const part = this.parts.relations(this.main).find(({ type }) => type === 'sharedStrings')?.target;
    if (part === undefined || !this.parts.has(part)) return [];
    this.#shared ??= this.parts.root(part).elements.map(richText);
    return this.#shared;
  }

  /** Notes that a value has changed, so that formulas that read it are computed again. */
  noteChange({ part }: Sheet, address: CellAddress, isFormula = false): void {
    for (const noted of isFormula ? [this.changed, this.written] : [this.changed]) {
      const known = noted.get(part) ?? new ChangedCells();
      known.add(address);
      noted.set(part, known);
    }
  }

  /** Whether dates are counted from 1904. */
  get countsFrom1904(): boolean {
    const value = this.root.child(sheetSpace, 'workbookPr')?.attribute('date1904');
    return value === '1' || value === 'true';
  }

  /** Lets the next program that opens the file compute everything, in an order that it finds anew if there are other formulas. */
  requestCalculation(): void {
    if (this.hasNewFormulas) {
      for (const { target } of this.parts.relations(this.main).filter(({ type }) => type === 'calcChain'))
        this.parts.remove(target);
      this.parts.unrelate(this.main, ({ type }) => type === 'calcChain');
    }
    const { root } = this;
    const known = root.child(sheetSpace, 'calcPr');
    if (known) return known.setAttribute('fullCalcOnLoad', '1');
    const before = ['definedNames', 'externalReferences', 'functionGroups', 'sheets'];
    const [place] = before.flatMap((local) => root.child(sheetSpace, local) ?? []);
    if (place) insertAfter(place, [parseElement(`<${prefixOf(root, sheetSpace)}calcPr fullCalcOnLoad="1"/>`, root)]);
  }
}

/** A text without the formats of its parts. */
function richText(element: MarkupElement | undefined): string {
  const runs = element?.elements.flatMap((each) => (each.local === 'r' ? each.elements : [each])) ?? [];
  return runs.map((each) => (each.local === 't' ? each.text : '')).join('');
}
