import { invalidField } from '@errand/base/fault.ts';
import { cleanText, escapeMarkup } from '../../clean-text.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { cloneNode, insertAfter, insertBefore, MarkupElement, removeNode, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { listParagraphs, ParagraphText } from '../text/paragraph-text.ts';
import { explainAbsence, quotePlace } from '../text/near-text.ts';
import { deleteRuns, makeRun } from './run-changes.ts';
import type { WordDocument } from './word-document.ts';
import { findStyle, styleAfterHeading } from './word-styles.ts';
import { wordSpace, wordText } from './word-text.ts';

/** The one paragraph that holds a text, or that is exactly this text. */
export function findParagraph(document: WordDocument, field: string, find: string): MarkupElement {
  const paragraphs = document.paragraphs().filter(({ isRepetition }) => !isRepetition);
  const holding = paragraphs.filter(({ text }) => text.text.includes(find));
  const same = holding.filter(({ text }) => text.text.trim() === find.trim());
  const [found, other] = same.length > 0 ? same : holding;
  if (!found) {
    const texts = paragraphs.map(({ text }) => text.text);
    throw invalidField(field, `${quotePlace(find, 0, 120)} ${explainAbsence(texts, find)}`);
  }
  if (other) {
    const shown = holding.slice(0, 5).map(({ story, text }) => `\n- ${story.name}: ${quotePlace(text.text, 0, 100)}`);
    throw invalidField(field, `${holding.length} paragraphs hold this text. Give more of the one you mean:${shown.join('')}`);
  }
  return found.text.paragraph;
}

/** The properties that a new paragraph takes over from its neighbor. */
function copyProperties(like: MarkupElement): MarkupElement | null {
  const properties = like.child(wordSpace, 'pPr');
  if (!properties) return null;
  const copy = cloneNode(properties);
  for (const local of ['sectPr', 'pPrChange']) {
    const unwanted = copy.child(wordSpace, local);
    if (unwanted) removeNode(unwanted);
  }
  const marks = copy.child(wordSpace, 'rPr');
  for (const local of ['ins', 'del', 'moveFrom', 'moveTo', 'rPrChange']) {
    const unwanted = marks?.child(wordSpace, local);
    if (unwanted) removeNode(unwanted);
  }
  return copy;
}

/** Marks the end of a paragraph as inserted or deleted. */
function markParagraph(document: WordDocument, paragraph: MarkupElement, kind: 'ins' | 'del'): void {
  const w = prefixOf(paragraph, wordSpace);
  let properties = paragraph.child(wordSpace, 'pPr');
  if (!properties) {
    properties = parseElement(`<${w}pPr></${w}pPr>`, paragraph);
    paragraph.insertAt(0, [properties]);
  }
  let format = properties.child(wordSpace, 'rPr');
  if (!format) {
    format = parseElement(`<${w}rPr></${w}rPr>`, properties);
    const after = properties.elements.find(({ local }) => local === 'sectPr' || local === 'pPrChange');
    if (after) insertBefore(after, [format]);
    else properties.append(format);
  }
  format.insertAt(0, [parseElement(`<${w}${kind} ${document.changeAttributes(format)}/>`, format)]);
}

/** A paragraph in the form of another one, or in a style. */
export function makeParagraph(
  document: WordDocument,
  like: MarkupElement,
  text: string,
  style: string | undefined,
  track: boolean,
): MarkupElement {
  const w = prefixOf(like, wordSpace);
  const paragraph = parseElement(`<${w}p></${w}p>`, like);
  const chosen = style === undefined ? styleAfterHeading(document, like) : findStyle(document, style);
  const copied = chosen === null ? copyProperties(like) : null;
  if (copied) paragraph.append(copied);
  else if (chosen !== null && chosen !== '') {
    paragraph.append(parseElement(`<${w}pPr><${w}pStyle ${w}val="${escapeMarkup(chosen)}"/></${w}pPr>`, paragraph));
  }
  const run = chosen === null ? (new ParagraphText(like, wordText).pieces[0]?.run ?? null) : null;
  const made = makeRun(text, run, paragraph);
  if (track) markParagraph(document, paragraph, 'ins');
  if (text === '') return paragraph;
  paragraph.append(made);
  if (track) {
    const insertion = parseElement(`<${w}ins ${document.changeAttributes(paragraph)}></${w}ins>`, paragraph);
    replaceNode(made, [insertion]);
    insertion.append(made);
  }
  return paragraph;
}

export interface InsertOptions {
  paragraphs: readonly string[];
  after?: string | undefined;
  before?: string | undefined;
  style?: string | undefined;
  track: boolean;
}

const cellNote = ' in the same cell, so the table has no new row; for rows use insert_rows';

function isInCell({ parent }: MarkupElement): boolean {
  if (!parent || parent.local === 'txbxContent') return false;
  return parent.is(wordSpace, 'tc') || isInCell(parent);
}

/** Inserts paragraphs beside one, in its form or in a style. */
export function insertParagraphs(document: WordDocument, { paragraphs, after, before, style, track }: InsertOptions): string {
  if ((after === undefined) === (before === undefined))
    throw invalidField('after', 'give either after or before: text of the paragraph beside which to insert.');
  const field = after === undefined ? 'before' : 'after';
  const place = findParagraph(document, field, after ?? before ?? '');
  const made = paragraphs.map((text) => makeParagraph(document, place, cleanText(text), style, track));
  if (after === undefined) insertBefore(place, made);
  else insertAfter(place, made);
  const count = made.length === 1 ? 'a paragraph' : `${made.length} paragraphs`;
  return `inserted ${count} ${field} ${quotePlace(after ?? before ?? '', 0, 60)}${isInCell(place) ? cellNote : ''}`;
}

const rangeMarks = /^(bookmark|commentRange|permStart|permEnd|perm|moveFromRange|moveToRange)(Start|End)?$/;

/** Marks of ranges that end or begin elsewhere; they stay where the removed nodes were. */
function listOpenMarks(nodes: readonly MarkupElement[]): MarkupElement[] {
  const marks = nodes.flatMap((node) => [...node.descendants((each) => each.space === wordSpace && rangeMarks.test(each.local))]);
  const keyOf = (mark: MarkupElement) => `${mark.local.replace(/(Start|End)$/, '')} ${mark.attribute('id', wordSpace)}`;
  const counts = Map.groupBy(marks, keyOf);
  return marks.filter((mark) => counts.get(keyOf(mark))?.length === 1);
}

function checkFields(nodes: readonly MarkupElement[], field: string): void {
  let open = 0;
  for (const node of nodes) {
    for (const mark of node.descendants((each) => each.is(wordSpace, 'fldChar'))) {
      const type = mark.attribute('fldCharType', wordSpace);
      if (type === 'begin') open++;
      if (type === 'end') open--;
      if (open < 0) break;
    }
  }
  if (open !== 0)
    throw invalidField(field, 'a part of a field, such as a table of contents, would be left. Include all of its paragraphs.');
}

function markRows(document: WordDocument, block: MarkupElement): void {
  const w = prefixOf(block, wordSpace);
  const isRow = (each: MarkupElement) => each.is(wordSpace, 'tr');
  for (const row of [...(isRow(block) ? [block] : []), ...block.descendants(isRow)]) {
    let properties = row.child(wordSpace, 'trPr');
    if (!properties) {
      properties = parseElement(`<${w}trPr></${w}trPr>`, row);
      const first = row.elements.find(({ local }) => local !== 'tblPrEx');
      if (first) insertBefore(first, [properties]);
    }
    properties.append(parseElement(`<${w}del ${document.changeAttributes(row)}/>`, properties));
  }
}

/** Marks everything in blocks as deleted. */
export function deleteTracked(document: WordDocument, blocks: readonly MarkupElement[]): void {
  for (const block of blocks) {
    const paragraphs = block.is(wordSpace, 'p') ? [block] : listParagraphs(block, wordText);
    if (!block.is(wordSpace, 'p')) markRows(document, block);
    for (const paragraph of paragraphs) {
      const isGone = (run: MarkupElement) => run.parent?.local === 'del' || run.parent?.local === 'moveFrom';
      const runs = [...paragraph.descendants((each) => each.is(wordSpace, 'r'))].filter((run) => !isGone(run));
      deleteRuns(document, runs);
      if (paragraph.child(wordSpace, 'pPr')?.child(wordSpace, 'rPr')?.child(wordSpace, 'del')) continue;
      markParagraph(document, paragraph, 'del');
    }
  }
}

/** Removes blocks, but not the end of a section nor the last paragraph of a cell, which stays without text. */
function removeBlocks(blocks: readonly MarkupElement[]): void {
  const marks = listOpenMarks(blocks);
  const [first] = blocks;
  if (first)
    insertBefore(
      first,
      marks.map((mark) => cloneNode(mark)),
    );
  for (const block of blocks) {
    const hasSection = block.child(wordSpace, 'pPr')?.child(wordSpace, 'sectPr') !== undefined;
    const paragraphs = block.parent?.elements.filter((each) => each.is(wordSpace, 'p')).length ?? 0;
    const isNeeded = hasSection || (paragraphs === 1 && block.is(wordSpace, 'p') && !block.parent?.is(wordSpace, 'body'));
    if (isNeeded) block.replaceChildren(block.elements.filter((each) => each.is(wordSpace, 'pPr')));
    else removeNode(block);
  }
}

/** Deletes the paragraph that holds a text, or all blocks from there to the one that holds another. */
export function deleteParagraphs(document: WordDocument, find: string, to: string | undefined, track: boolean): string {
  const first = findParagraph(document, 'find', find);
  const last = to === undefined ? first : findParagraph(document, 'to', to);
  const { parent } = first;
  if (!parent || last.parent !== parent)
    throw invalidField('to', 'is not in the same text, cell, or list of paragraphs as find.');
  const [from, until] = [parent.children.indexOf(first), parent.children.indexOf(last)];
  if (until < from) throw invalidField('to', 'comes before find.');
  const blocks = parent.children.slice(from, until + 1).filter((node) => node instanceof MarkupElement);
  checkFields(blocks, to === undefined ? 'find' : 'to');
  if (track) deleteTracked(document, blocks);
  else removeBlocks(blocks);
  return `deleted ${blocks.length === 1 ? 'a paragraph' : `${blocks.length} paragraphs and tables`} from ${quotePlace(find, 0, 60)}`;
}
