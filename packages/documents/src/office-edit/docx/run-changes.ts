import { parseElement, parseFragment } from '../markup/markup-parser.ts';
import {
  cloneNode,
  insertAfter,
  insertBefore,
  MarkupElement,
  type MarkupNode,
  removeNode,
  replaceNode,
  writeMarkup,
} from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { ParagraphText } from '../text/paragraph-text.ts';
import { cloneRun, isolateRuns } from '../text/run-splitting.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace, wordText, writeRunText } from './word-text.ts';

/** A copy of an element under another local name; its prefix stays. */
function renameElement(element: MarkupElement, local: string): MarkupElement {
  const name = `${element.name.slice(0, element.name.length - element.local.length)}${local}`;
  const opening = `<${name}${element.opening.slice(element.name.length + 1)}`;
  const renamed = new MarkupElement(opening, name, element.scope, element.closing === null ? null : `</${name}>`);
  if (element.children.length > 0) renamed.append(...element.children);
  return renamed;
}

/** Renames all elements of a name below. */
export function renameAll(root: MarkupElement, from: string, to: string): void {
  for (const element of [...root.descendants((each) => each.is(wordSpace, from))]) {
    replaceNode(element, [renameElement(element, to)]);
  }
}

function wrapChange(
  document: WordDocument,
  kind: 'ins' | 'del',
  runs: readonly MarkupElement[],
  within: MarkupElement,
): MarkupElement {
  const w = prefixOf(within, wordSpace);
  const change = parseElement(`<${w}${kind} ${document.changeAttributes(within)}></${w}${kind}>`, within);
  change.append(...runs);
  return change;
}

/** Marks runs as deleted, neighbors by one mark; the marks. */
export function deleteRuns(document: WordDocument, runs: readonly MarkupElement[]): MarkupElement[] {
  const marks: MarkupElement[] = [];
  for (const run of runs) {
    const { parent } = run;
    if (!parent) continue;
    const last = marks.at(-1);
    const isNext = last?.parent === parent && parent.children[parent.children.indexOf(last) + 1] === run;
    renameAll(run, 't', 'delText');
    if (isNext) {
      removeNode(run);
      last.append(run);
      continue;
    }
    const at = cloneNode(run);
    replaceNode(run, [at]);
    const mark = wrapChange(document, 'del', [run], parent);
    replaceNode(at, [mark]);
    marks.push(mark);
  }
  return marks;
}

/** An insertion cannot be in another one: the outer is ended before it and begins anew after it. */
function splitInsertion(node: MarkupNode): MarkupNode {
  const { parent } = node;
  if (!parent?.is(wordSpace, 'ins') && !parent?.is(wordSpace, 'moveTo')) return node;
  const following = parent.children.slice(parent.children.indexOf(node) + 1);
  if (following.length > 0) {
    const rest = new MarkupElement(parent.opening, parent.name, parent.scope, `</${parent.name}>`);
    parent.children = parent.children.slice(0, parent.children.length - following.length);
    rest.append(...following);
    insertAfter(parent, [rest]);
  }
  return parent;
}

/** New runs for a text in the format of another run. */
export function makeRun(text: string, like: MarkupElement | null, within: MarkupElement): MarkupElement {
  const nodes = parseFragment(writeRunText(text, within), within);
  if (like?.is(wordSpace, 'r')) return cloneRun(like, nodes, wordText);
  const w = prefixOf(within, wordSpace);
  const run = parseElement(`<${w}r></${w}r>`, within);
  run.append(...nodes);
  return run;
}

function insertTracked(
  document: WordDocument,
  paragraph: MarkupElement,
  text: string,
  place: { after: MarkupNode } | { before: MarkupNode } | null,
  like: MarkupElement | null,
): void {
  const insertion = wrapChange(document, 'ins', [makeRun(text, like, paragraph)], paragraph);
  if (place === null) paragraph.append(insertion);
  else if ('after' in place) insertAfter(splitInsertion(place.after), [insertion]);
  else {
    const { parent } = place.before;
    insertBefore(parent?.is(wordSpace, 'ins') ? parent : place.before, [insertion]);
  }
}

/** Whether runs differ in their format. */
function isMixed(runs: readonly MarkupElement[]): boolean {
  const formats = runs.map((run) => writeMarkup(run.elements.filter((element) => wordText.isProperties(element))));
  return new Set(formats).size > 1;
}

/**
 * Replaces a part of a paragraph so that the old text stays visible as deleted and the new one as inserted, in the format of the first run
 * of the old one. Returns whether the old text had several formats.
 */
export function changeTracked(document: WordDocument, paragraph: MarkupElement, from: number, to: number, text: string): boolean {
  const read = new ParagraphText(paragraph, wordText);
  if (to > from) {
    const runs = isolateRuns(read, from, to, wordText);
    const [like = null] = runs;
    const format = like && cloneNode(like);
    const mixed = isMixed(runs);
    const last = deleteRuns(document, runs).at(-1);
    if (text !== '' && last) insertTracked(document, paragraph, text, { after: last }, format);
    return mixed && text !== '';
  }
  if (text === '') return false;
  const isFirst = from === 0;
  // The whole piece up to the place: the word before it stays in one run.
  const piece = read.pieces[read.indexAt(isFirst ? 0 : from - 1)];
  const [begin, end] = isFirst ? [0, piece?.text.length ?? 0] : [piece?.start ?? 0, from];
  const run = piece && isolateRuns(read, begin, end, wordText).at(isFirst ? 0 : -1);
  const place = run ? (isFirst ? { before: run } : { after: run }) : null;
  insertTracked(document, paragraph, text, place, run ?? null);
  return false;
}
