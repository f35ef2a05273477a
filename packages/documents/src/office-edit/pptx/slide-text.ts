import { escapeMarkup } from '../../clean-text.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { cloneNode, type MarkupElement, removeNode, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import type { TextDialect, TextPiece } from '../text/paragraph-text.ts';
import { cloneRun } from '../text/run-splitting.ts';

export const drawingSpace = 'http://schemas.openxmlformats.org/drawingml/2006/main';

function setText(node: MarkupElement, text: string): void {
  node.text = text;
}

/** A run of text in the format of a run or of a line break. */
function makeRun(text: string, like: MarkupElement): MarkupElement {
  const a = prefixOf(like, drawingSpace);
  const node = parseElement(`<${a}t>${escapeMarkup(text)}</${a}t>`, like);
  if (like.local === 'r') return cloneRun(like, [node], slideText);
  const run = parseElement(`<${a}r></${a}r>`, like);
  run.append(...like.elements.filter(({ local }) => local === 'rPr').map((each) => cloneNode(each)), node);
  return run;
}

function makeBreak(like: MarkupElement): MarkupElement {
  const a = prefixOf(like, drawingSpace);
  const line = parseElement(`<${a}br></${a}br>`, like);
  line.append(...like.elements.filter(({ local }) => local === 'rPr').map((each) => cloneNode(each)));
  return line;
}

/** Line feeds are line breaks, which are beside the runs. */
function writePiece({ node, run, text }: TextPiece): void {
  if (node !== run && !text.includes('\n')) {
    if (text === '' && run.local === 'r') removeNode(run);
    else setText(node, text);
    return;
  }
  const nodes = text.split(/(\n)/).flatMap((part) => (part === '' ? [] : [part === '\n' ? makeBreak(run) : makeRun(part, run)]));
  replaceNode(run, nodes);
}

/** How slides write text. */
export const slideText: TextDialect = {
  isParagraph: (element) => element.is(drawingSpace, 'p'),
  isProperties: (element) => element.is(drawingSpace, 'rPr'),
  listPieces: (paragraph) =>
    paragraph.elements.flatMap((run) => {
      if (run.is(drawingSpace, 'br')) return [{ node: run, run, text: '\n' }];
      const node = run.local === 'r' || run.local === 'fld' ? run.child(drawingSpace, 't') : undefined;
      return node ? [{ node, run, text: node.text }] : [];
    }),
  setText,
  writePiece,
};
