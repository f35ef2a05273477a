import { parseFragment } from '../markup/markup-parser.ts';
import { type MarkupElement, removeNode, replaceNode } from '../markup/markup-tree.ts';
import { escapeMarkup } from '../../clean-text.ts';
import { prefixOf } from '../package/office-package.ts';
import type { TextDialect, TextPiece } from '../text/paragraph-text.ts';

export const wordSpace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** What is in a paragraph and is no text of it: properties, deleted text, drawings with paragraphs of their own. */
const passedOver = new Set([
  ...['pPr', 'rPr', 'del', 'moveFrom', 'drawing', 'pict', 'object', 'delText', 'instrText', 'p', 'tbl', 'txbxContent'],
  ...['sdtPr', 'fldData', 'rt', 'rubyPr', 'AlternateContent', 'annotationRef', 'footnoteRef'],
]);

/** The text that a node of a run stands for; null for none. */
function readPiece(node: MarkupElement): string | null {
  switch (node.local) {
    case 't':
      return node.text;
    case 'tab':
    case 'ptab':
      return '\t';
    case 'br':
      return node.attribute('type', wordSpace) === 'page' ? '\f' : '\n';
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '\u2011';
    default:
      return null;
  }
}

function collectPieces(element: MarkupElement, run: MarkupElement | null, pieces: Omit<TextPiece, 'start'>[]): void {
  for (const child of element.elements) {
    if (child.space !== wordSpace || passedOver.has(child.local)) continue;
    const text = run ? readPiece(child) : null;
    if (run && text !== null) pieces.push({ node: child, run, text });
    else collectPieces(child, child.local === 'r' ? child : run, pieces);
  }
}

/** The nodes of a run for a text: line feeds are line breaks. */
export function writeRunText(text: string, within: MarkupElement): string {
  const w = prefixOf(within, wordSpace);
  return text
    .split(/([\n\t\f\u2011])/)
    .map((part) => {
      if (part === '\n') return `<${w}br/>`;
      if (part === '\t') return `<${w}tab/>`;
      if (part === '\f') return `<${w}br ${w}type="page"/>`;
      if (part === '\u2011') return `<${w}noBreakHyphen/>`;
      const keepsSpace = /^\s|\s$|\s\s/.test(part) ? ' xml:space="preserve"' : '';
      return part === '' ? '' : `<${w}t${keepsSpace}>${escapeMarkup(part)}</${w}t>`;
    })
    .join('');
}

/** Removes a run that has nothing left but its format. */
function removeEmptyRun(run: MarkupElement): void {
  if (run.elements.every(({ local }) => local === 'rPr')) removeNode(run);
}

function setText(node: MarkupElement, text: string): void {
  node.text = text;
  if (/^\s|\s$|\s\s/.test(text)) node.setAttribute('space', 'preserve', 'http://www.w3.org/XML/1998/namespace');
}

function writePiece({ node, run, text }: TextPiece): void {
  if (node.local === 't' && !/[\n\t\f\u2011]/.test(text) && text !== '') {
    setText(node, text);
    return;
  }
  replaceNode(node, parseFragment(writeRunText(text, node), run));
  removeEmptyRun(run);
}

/** How Word documents write text. */
export const wordText: TextDialect = {
  isParagraph: (element) => element.is(wordSpace, 'p'),
  isProperties: (element) => element.is(wordSpace, 'rPr'),
  listPieces(paragraph) {
    const pieces: Omit<TextPiece, 'start'>[] = [];
    collectPieces(paragraph, null, pieces);
    return pieces;
  },
  setText,
  writePiece,
};
