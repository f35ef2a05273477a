import type { MarkupElement } from '../markup/markup-tree.ts';
import { type CellAddress, parseAddress, parseRange, writeAddress, writeRange } from './cell-address.ts';
import type { FormulaShifting } from './formula-shifting.ts';
import { mapReferences, writeReference } from './formula-references.ts';
import { type RowShift, shiftAddress, shiftRange, shiftReference } from './row-shift.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Workbook } from './workbook.ts';

const listed = /^(conditionalFormatting|dataValidation|ignoredError|protectedRange)$/;
const single = /^(mergeCell|hyperlink|autoFilter|sortState|sortCondition)$/;

function shiftList(shift: RowShift, text: string): string {
  const places = text.split(' ').filter((place) => place !== '');
  return places
    .flatMap((place) => {
      const range = parseRange(place);
      return range ? shiftRange(shift, range).map(writeRange) : [place];
    })
    .join(' ');
}

function setChanged(element: MarkupElement, name: string, value: string): void {
  if (value !== element.attribute(name)) element.setAttribute(name, value);
}

function shiftRef(shift: RowShift, element: MarkupElement): void {
  const range = parseRange(element.attribute('ref') ?? '');
  const grows = !/^(mergeCell|hyperlink)$/.test(element.local);
  if (range) setChanged(element, 'ref', shiftRange(shift, range, grows).map(writeRange)[0] ?? writeRange(range));
}

/** Formats, checks, links, joined cells, and filters of the sheet. */
function shiftSheetPlaces({ root }: { root: MarkupElement }, shift: RowShift, formulas: FormulaShifting): void {
  const isPlace = ({ local }: MarkupElement) => listed.test(local) || single.test(local) || local === 'sqref' || local === 'cfvo';
  for (const top of root.elements.filter(({ local }) => local !== 'sheetData')) {
    for (const element of [...(isPlace(top) ? [top] : []), ...top.descendants(isPlace)]) {
      if (element.local === 'sqref') element.text = shiftList(shift, element.text);
      else if (single.test(element.local)) shiftRef(shift, element);
      else if (element.local === 'cfvo') {
        const value = element.attribute('val');
        if (value !== undefined) setChanged(element, 'val', formulas.shiftText(value, shift.sheet, { fixedOnly: true }));
      } else {
        // Formats of programs since 2010 have their places in an element of its own.
        const places = element.attribute('sqref');
        if (places !== undefined) setChanged(element, 'sqref', shiftList(shift, places));
      }
    }
  }
}

/** Links of every sheet that lead to cells of this one. */
function shiftLinks(workbook: Workbook, shift: RowShift): void {
  const name = shift.sheet.name.toLowerCase();
  for (const sheet of workbook.sheets()) {
    for (const link of workbook.grid(sheet).root.child(sheetSpace, 'hyperlinks')?.elements ?? []) {
      const location = link.attribute('location');
      if (location === undefined) continue;
      const moved = mapReferences(location, (reference) => {
        const isOwn = reference.sheet === null ? sheet.part === shift.sheet.part : reference.sheet.toLowerCase() === name;
        const shifted = isOwn ? shiftReference(shift, reference) : null;
        return shifted && writeReference(shifted.reference);
      });
      setChanged(link, 'location', moved);
    }
  }
}

/** The boxes of comments say their row and column in numbers from 0. */
function shiftBox(shift: RowShift, box: MarkupElement): void {
  const [row, column] = ['Row', 'Column'].map((local) => box.elements.find((each) => each.local === local));
  if (!row || !column) return;
  const moved = shiftAddress(shift, { row: Number(row.text) + 1, column: Number(column.text) + 1 });
  if (moved) row.text = String(moved.row - 1);
}

function shiftComments({ parts }: Workbook, shift: RowShift): void {
  const moves = ({ row, column }: CellAddress) => shiftAddress(shift, { row, column }) !== null;
  let isMoved = false;
  const relations = parts.relations(shift.sheet.part).filter(({ target, isExternal }) => !isExternal && parts.has(target));
  for (const { type, target } of relations) {
    if (!/^(comments|threadedComment)$/.test(type)) continue;
    for (const comment of parts.root(target).descendants(({ local }) => /^(comment|threadedComment)$/.test(local))) {
      const address = parseAddress(comment.attribute('ref') ?? '');
      const place = address && moves(address) ? shiftAddress(shift, address) : null;
      if (!place) continue;
      comment.setAttribute('ref', writeAddress(place));
      isMoved = true;
    }
  }
  if (!isMoved) return;
  for (const { target } of relations.filter(({ type }) => type === 'vmlDrawing'))
    for (const box of parts.root(target).descendants(({ local }) => local === 'ClientData')) shiftBox(shift, box);
}

/** Pictures and charts that stand below the data move down with what is there. */
function shiftDrawings({ parts }: Workbook, { sheet, at, count, columns }: RowShift): void {
  for (const { type, target } of parts.relations(sheet.part)) {
    if (type !== 'drawing' || !parts.has(target)) continue;
    for (const anchor of parts.root(target).elements) {
      const [from, to] = ['from', 'to'].map((local) => anchor.elements.find((each) => each.local === local));
      const read = (corner: MarkupElement | undefined, local: string) =>
        Number(corner?.elements.find((each) => each.local === local)?.text ?? Number.NaN) + 1;
      if (!(read(from, 'row') >= at && read(from, 'col') <= columns.to && read(to ?? from, 'col') >= columns.from)) continue;
      for (const corner of [from, to]) {
        const row = corner?.elements.find((each) => each.local === 'row');
        if (row) row.text = String(Number(row.text) + count);
      }
    }
  }
}

/** The source of a pivot table, which reads the new rows when the file is opened. */
function shiftPivots({ parts }: Workbook, shift: RowShift): void {
  const name = shift.sheet.name.toLowerCase();
  for (const part of parts.list().filter((each) => /^xl\/pivotCache\/pivotCacheDefinition[^/]*\.xml$/.test(each))) {
    const root = parts.root(part);
    for (const source of root.descendants(({ local }) => local === 'worksheetSource')) {
      const former = source.attribute('ref');
      if (former === undefined || source.attribute('sheet')?.toLowerCase() !== name) continue;
      shiftRef(shift, source);
      if (source.attribute('ref') !== former) root.setAttribute('refreshOnLoad', '1');
    }
  }
}

/** Moves everything that is placed by addresses, other than cells and formulas. Throws a Fault as the formulas in it do. */
export function shiftPlaces(workbook: Workbook, shift: RowShift, formulas: FormulaShifting): void {
  shiftLinks(workbook, shift);
  shiftSheetPlaces(workbook.grid(shift.sheet), shift, formulas);
  shiftComments(workbook, shift);
  shiftDrawings(workbook, shift);
  shiftPivots(workbook, shift);
}
