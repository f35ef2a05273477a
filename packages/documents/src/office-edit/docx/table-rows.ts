import { invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../../clean-text.ts';
import type { GivenRow } from '../edit-spec.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { cloneNode, insertAfter, insertBefore, type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { listParagraphs, ParagraphText } from '../text/paragraph-text.ts';
import { quotePlace } from '../text/near-text.ts';
import { deleteTracked, findParagraph, makeParagraph } from './paragraph-changes.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace, wordText } from './word-text.ts';

function findAround(element: MarkupElement, local: string): MarkupElement | null {
  let around: MarkupElement | null = element;
  while (around && !around.is(wordSpace, local)) around = around.parent;
  return around;
}

/** The row of a table in which a text is. */
function findRow(document: WordDocument, field: string, find: string): MarkupElement {
  const row = findAround(findParagraph(document, field, find), 'tr');
  if (row) return row;
  throw invalidField(field, `${quotePlace(find, 0, 60)} is in no table. Name a text of a row, or insert paragraphs.`);
}

/** Elements of a name in a row or table, also those that content controls hold, but none of tables inside. */
function listHeld(holder: MarkupElement, local: string): MarkupElement[] {
  return holder.elements.flatMap((each) => {
    if (each.is(wordSpace, local)) return [each];
    return /^(sdt|sdtContent|customXml|smartTag)$/.test(each.local) ? listHeld(each, local) : [];
  });
}

function readText(cell: MarkupElement): string {
  return listParagraphs(cell, wordText)
    .map((paragraph) => new ParagraphText(paragraph, wordText).text)
    .join(' ')
    .trim();
}

interface Cell {
  element: MarkupElement;
  /** The first column of the table's grid that it covers. */
  column: number;
}

function readNumber(properties: MarkupElement | undefined, local: string, otherwise: number): number {
  return Number(properties?.child(wordSpace, local)?.attribute('val', wordSpace) ?? otherwise);
}

function listCells(row: MarkupElement): Cell[] {
  let column = readNumber(row.child(wordSpace, 'trPr'), 'gridBefore', 0);
  return listHeld(row, 'tc').map((element) => {
    const cell = { element, column };
    column += readNumber(element.child(wordSpace, 'tcPr'), 'gridSpan', 1);
    return cell;
  });
}

function mergeOf(cell: MarkupElement): MarkupElement | undefined {
  return cell.child(wordSpace, 'tcPr')?.child(wordSpace, 'vMerge');
}

/** The columns in which a row continues the cell above it. */
function listContinued(row: MarkupElement | undefined): Set<number> {
  const cells = row ? listCells(row) : [];
  const continues = ({ element }: Cell) => {
    const merge = mergeOf(element);
    return merge !== undefined && merge.attribute('val', wordSpace) !== 'restart';
  };
  return new Set(cells.filter(continues).map(({ column }) => column));
}

/** The texts of a row, one for each of the cells that take one. */
function readValues(row: GivenRow, headers: readonly string[], count: number, field: string): string[] {
  const asText = (value: string | number | boolean | null | undefined) => cleanText(String(value ?? ''));
  if (Array.isArray(row)) {
    if (row.length === count) return row.map(asText);
    throw invalidField(field, `has ${row.length} values; a row of this table has ${count} cells. Give "" for an empty one.`);
  }
  const unknown = Object.keys(row).find((name) => !headers.includes(name));
  if (unknown === undefined) return headers.map((name) => asText(row[name]));
  const known = headers.map((name) => JSON.stringify(name)).join(', ');
  throw invalidField(field, `the table has no column ${JSON.stringify(unknown)}. Its first row has ${known}.`);
}

function fillCell(document: WordDocument, cell: MarkupElement, text: string, track: boolean): void {
  const [like] = listParagraphs(cell, wordText);
  if (!like) return;
  const paragraph = makeParagraph(document, like, text, undefined, track);
  cell.replaceChildren([...cell.elements.filter((each) => each.is(wordSpace, 'tcPr')), paragraph]);
}

function markInserted(document: WordDocument, row: MarkupElement): void {
  const w = prefixOf(row, wordSpace);
  let properties = row.child(wordSpace, 'trPr');
  if (!properties) {
    properties = parseElement(`<${w}trPr></${w}trPr>`, row);
    const at = row.elements.findIndex(({ local }) => local !== 'tblPrEx');
    row.insertAt(Math.max(0, at), [properties]);
  }
  properties.append(parseElement(`<${w}ins ${document.changeAttributes(row)}/>`, properties));
}

/** A row in the form of another one, without its texts. */
function copyRow(like: MarkupElement, continued: ReadonlySet<number>): { row: MarkupElement; cells: MarkupElement[] } {
  const row = cloneNode(like);
  for (const name of ['paraId', 'textId']) row.setAttribute(name, null, 'http://schemas.microsoft.com/office/word/2010/wordml');
  const cells = listCells(row);
  const head = row.elements.filter((each) => each.is(wordSpace, 'tblPrEx') || each.is(wordSpace, 'trPr'));
  row.replaceChildren([...head, ...cells.map(({ element }) => element)]);
  for (const local of ['ins', 'del', 'trPrChange', 'tblHeader']) {
    const mark = row.child(wordSpace, 'trPr')?.child(wordSpace, local);
    if (mark) removeNode(mark);
  }
  for (const { element, column } of cells) {
    const merge = mergeOf(element);
    if (merge && !continued.has(column)) removeNode(merge);
    else merge?.setAttribute('val', null, wordSpace);
  }
  return { row, cells: cells.map(({ element }) => element) };
}

export interface InsertedRows {
  rows: readonly GivenRow[];
  after?: string | undefined;
  before?: string | undefined;
  track: boolean;
}

/** Inserts rows into a table beside the row that holds a text, in the form of that row; after a heading, in the form of the next. */
export function insertRows(document: WordDocument, { rows, after, before, track }: InsertedRows): string {
  if ((after === undefined) === (before === undefined))
    throw invalidField('after', 'give either after or before: text of the row beside which to insert.');
  const field = after === undefined ? 'before' : 'after';
  const place = findRow(document, field, after ?? before ?? '');
  const table = findAround(place, 'tbl');
  const all = table ? listHeld(table, 'tr') : [place];
  const at = all.indexOf(place);
  const isHeading = place.child(wordSpace, 'trPr')?.child(wordSpace, 'tblHeader') !== undefined || at === 0;
  const like = (isHeading && after !== undefined ? all[at + 1] : undefined) ?? place;
  const continued = listContinued(after === undefined ? place : all[at + 1]);
  const headers = all[0] ? listCells(all[0]).map(({ element }) => readText(element)) : [];
  const made = rows.map((given, index) => {
    const { row, cells } = copyRow(like, continued);
    const free = cells.filter((cell) => mergeOf(cell) === undefined);
    const values = readValues(given, headers, free.length, `rows.${index}`);
    for (const cell of cells) fillCell(document, cell, values[free.indexOf(cell)] ?? '', track);
    if (track) markInserted(document, row);
    return row;
  });
  if (after === undefined) insertBefore(place, made);
  else insertAfter(place, made);
  return `inserted ${made.length === 1 ? 'a row' : `${made.length} rows`} ${field} the row of ${quotePlace(after ?? before ?? '', 0, 60)}`;
}

/** Deletes the row that holds a text, or all rows from there to the one that holds another; the table goes with its last row. */
export function deleteRows(document: WordDocument, find: string, to: string | undefined, track: boolean): string {
  const first = findRow(document, 'find', find);
  const last = to === undefined ? first : findRow(document, 'to', to);
  const table = findAround(first, 'tbl');
  const all = table ? listHeld(table, 'tr') : [];
  const [from, until] = [all.indexOf(first), all.indexOf(last)];
  if (!table || until < 0) throw invalidField('to', 'is not in the same table as find.');
  if (until < from) throw invalidField('to', 'comes before find.');
  const rows = all.slice(from, until + 1);
  if (track) deleteTracked(document, rows);
  else {
    restartMerges(rows.at(-1), all[until + 1], rows);
    for (const row of rows) removeNode(row);
    if (rows.length === all.length) removeNode(table);
  }
  return `deleted ${rows.length === 1 ? 'a row' : `${rows.length} rows`} from ${quotePlace(find, 0, 60)}`;
}

/** Restarts merged cells in the next row if their first row is deleted. */
function restartMerges(last: MarkupElement | undefined, next: MarkupElement | undefined, gone: readonly MarkupElement[]): void {
  if (!last || !next) return;
  const begins = (column: number) =>
    gone.some((row) =>
      listCells(row).some((cell) => cell.column === column && mergeOf(cell.element)?.attribute('val', wordSpace) === 'restart'),
    );
  const continued = listContinued(next);
  for (const { element, column } of listCells(next))
    if (continued.has(column) && begins(column)) mergeOf(element)?.setAttribute('val', 'restart', wordSpace);
}
