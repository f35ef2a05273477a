import { parseElement } from '../markup/markup-parser.ts';
import { MarkupElement, removeNode, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { renameAll } from './run-changes.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace } from './word-text.ts';

const additions = new Set(['ins', 'moveTo', 'cellIns']);
const removals = new Set(['del', 'moveFrom', 'cellDel']);
/** What a record of the former properties does not repeat. */
const keptBeside = new Set([
  'rPr',
  'sectPr',
  'ins',
  'del',
  'moveFrom',
  'moveTo',
  'headerReference',
  'footerReference',
  'cellIns',
  'cellDel',
]);
const moveRanges = new Set(['moveFromRangeStart', 'moveFromRangeEnd', 'moveToRangeStart', 'moveToRangeEnd']);

interface Decision {
  isAccepted: boolean;
  /** Decides only this author's changes; null for everybody's. */
  author: string | null;
  count: number;
}

function isMeant(change: MarkupElement, { author }: Decision): boolean {
  return author === null || change.attribute('author', wordSpace)?.toLowerCase() === author.toLowerCase();
}

function unwrap(change: MarkupElement): void {
  renameAll(change, 'delText', 't');
  renameAll(change, 'delInstrText', 'instrText');
  replaceNode(change, change.children);
}

/** Whether a change takes its content out of the document. */
function takesAway(local: string, isAccepted: boolean): boolean {
  return isAccepted ? removals.has(local) : additions.has(local);
}

/** Insertions, deletions, and moves of text. */
function decideText(root: MarkupElement, decision: Decision): void {
  const isChange = (each: MarkupElement) => each.space === wordSpace && (additions.has(each.local) || removals.has(each.local));
  // From the last, because those inside come after those around them.
  for (const change of [...root.descendants(isChange)].reverse()) {
    const holder = change.parent?.local ?? '';
    if (['rPr', 'trPr', 'tcPr', 'ctrlPr', 'numPr'].includes(holder) || !isMeant(change, decision)) continue;
    decision.count++;
    if (takesAway(change.local, decision.isAccepted)) removeNode(change);
    else unwrap(change);
  }
}

/** Former properties: dropped, or put back. */
function decideFormats(root: MarkupElement, decision: Decision): void {
  const isChange = (each: MarkupElement) => each.space === wordSpace && /(Pr|Grid|Ex|numbering)Change$/.test(each.local);
  for (const change of [...root.descendants(isChange)].reverse()) {
    const { parent } = change;
    if (!parent || !isMeant(change, decision)) continue;
    decision.count++;
    const [former] = change.elements;
    if (decision.isAccepted || change.local === 'numberingChange' || !former) {
      removeNode(change);
      continue;
    }
    const kept = parent.elements.filter((each) => keptBeside.has(each.local) && each !== change);
    const isBefore = (each: MarkupElement) => each.local.endsWith('Reference');
    const marks = parent.is(wordSpace, 'rPr');
    const [before, after] = [kept.filter((each) => marks || isBefore(each)), kept.filter((each) => !marks && !isBefore(each))];
    parent.replaceChildren([...before, ...former.children, ...after]);
  }
}

/** Rows and cells that were inserted or deleted. */
function decideCells(root: MarkupElement, decision: Decision): void {
  const isChange = (each: MarkupElement) =>
    each.space === wordSpace &&
    (each.parent?.is(wordSpace, 'trPr') === true || each.parent?.is(wordSpace, 'tcPr') === true) &&
    (additions.has(each.local) || removals.has(each.local));
  for (const change of [...root.descendants(isChange)].reverse()) {
    if (!isMeant(change, decision)) continue;
    decision.count++;
    const whole = change.parent?.parent;
    const table = whole?.parent;
    if (takesAway(change.local, decision.isAccepted) && whole) removeNode(whole);
    else removeNode(change);
    for (const rest of [table, table?.parent]) {
      if (rest?.is(wordSpace, 'tr') && !rest.child(wordSpace, 'tc')) removeNode(rest);
      if (rest?.is(wordSpace, 'tbl') && !rest.child(wordSpace, 'tr')) removeNode(rest);
    }
  }
}

function nextBlock(paragraph: MarkupElement): MarkupElement | undefined {
  const siblings = paragraph.parent?.elements ?? [];
  const following = siblings.slice(siblings.indexOf(paragraph) + 1);
  return following.find(({ local }) => !/^(bookmark|commentRange|perm|move|proofErr)/.test(local));
}

/** Takes the end of a paragraph away: what is left of it begins the next one. */
function joinWithNext(paragraph: MarkupElement): void {
  const next = nextBlock(paragraph);
  const properties = paragraph.child(wordSpace, 'pPr');
  const content = paragraph.children.filter((child) => child !== properties);
  const isEmpty = !content.some((child) => child instanceof MarkupElement);
  if (properties?.child(wordSpace, 'sectPr')) return;
  if (next?.is(wordSpace, 'p')) {
    const at = next.children.findIndex((child) => child instanceof MarkupElement && child.is(wordSpace, 'pPr')) + 1;
    next.insertAt(at, content);
    removeNode(paragraph);
  } else if (isEmpty && next !== undefined && !next.is(wordSpace, 'sectPr')) removeNode(paragraph);
}

/** Ends of paragraphs that were inserted or deleted. */
function decideParagraphs(root: MarkupElement, decision: Decision): void {
  for (const paragraph of [...root.descendants((each) => each.is(wordSpace, 'p'))].reverse()) {
    const format = paragraph.child(wordSpace, 'pPr')?.child(wordSpace, 'rPr');
    const marks = format?.elements.filter((each) => additions.has(each.local) || removals.has(each.local)) ?? [];
    const meant = marks.filter((each) => isMeant(each, decision));
    for (const mark of meant) removeNode(mark);
    decision.count += meant.length;
    if (format && meant.length > 0 && format.elements.length === 0) removeNode(format);
    if (meant.some(({ local }) => takesAway(local, decision.isAccepted))) joinWithNext(paragraph);
  }
}

/** Marks that have no content: of runs in fields of formulas, of lists, and where moves begin and end. */
function removeMarks(root: MarkupElement, decision: Decision): void {
  const isLeft = (each: MarkupElement) =>
    each.space === wordSpace &&
    ((moveRanges.has(each.local) && decision.author === null) ||
      ((additions.has(each.local) || removals.has(each.local)) &&
        ['rPr', 'ctrlPr', 'numPr'].includes(each.parent?.local ?? '') &&
        isMeant(each, decision)));
  for (const mark of [...root.descendants(isLeft)]) removeNode(mark);
}

/** Cells need a paragraph. */
function fillCells(root: MarkupElement): void {
  for (const cell of root.descendants((each) => each.is(wordSpace, 'tc'))) {
    if (cell.elements.at(-1)?.is(wordSpace, 'p')) continue;
    cell.append(parseElement(`<${prefixOf(cell, wordSpace)}p/>`, cell));
  }
}

/** Accepts or rejects the tracked changes of everybody or of one author. */
export function decideRevisions(document: WordDocument, isAccepted: boolean, author: string | null): string {
  const decision: Decision = { isAccepted, author, count: 0 };
  for (const { root } of document.stories()) {
    const before = decision.count;
    decideCells(root, decision);
    decideText(root, decision);
    decideFormats(root, decision);
    decideParagraphs(root, decision);
    removeMarks(root, decision);
    if (decision.count > before) fillCells(root);
  }
  const whose = author === null ? '' : ` of ${author}`;
  if (decision.count === 0) return `there were no tracked changes${whose}`;
  return `${isAccepted ? 'accepted' : 'rejected'} ${decision.count} tracked changes${whose}`;
}
