import { cleanText, escapeMarkup } from '../../clean-text.ts';
import { parseElement, parseFragment } from '../markup/markup-parser.ts';
import { insertAfter, insertBefore, type MarkupElement } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { quotePlace } from '../text/near-text.ts';
import { isolateRuns } from '../text/run-splitting.ts';
import { findText } from '../text/text-finding.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace, wordText, writeRunText } from './word-text.ts';

const commentsType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml';

/** A new part with the namespaces of the document, so that its prefixes mean the same. */
export function startPart(document: WordDocument, local: string): string {
  const w = prefixOf(document.root, wordSpace);
  const declared = document.root.opening.slice(1 + document.root.name.length);
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<${w}${local}${declared}></${w}${local}>`;
}

function findComments(document: WordDocument): MarkupElement {
  const known = document.related('comments');
  if (known !== null && document.parts.has(known)) return document.parts.root(known);
  const stem = `${document.main.slice(0, document.main.lastIndexOf('/') + 1)}comments`;
  // Many readers look for this name instead of following the relationship.
  const part = document.parts.has(`${stem}.xml`) ? document.parts.freeName(stem, '.xml') : `${stem}.xml`;
  document.parts.write(part, startPart(document, 'comments'), commentsType);
  document.parts.relate(document.main, 'comments', part);
  return document.parts.root(part);
}

function initialsOf(author: string): string {
  const initials = author.match(/(?<!\p{L})\p{L}/gu)?.join('') ?? '';
  return initials.slice(0, 4).toUpperCase();
}

/** Adds a comment to a text of the document. */
export function addComment(document: WordDocument, find: string, text: string): string {
  const story = document.stories().slice(0, 1);
  const matches = findText(document.paragraphs(story), 'find', find, false);
  const comments = findComments(document);
  const w = prefixOf(comments, wordSpace);
  const { author } = document.reviser;
  const used = comments.elements.map((each) => Number(each.attribute('id', wordSpace) ?? 0));
  const lines = cleanText(text).split('\n');
  let id = Math.max(-1, ...used);
  for (const { paragraph, starts } of matches) {
    const [start = 0] = starts;
    const runs = isolateRuns(paragraph.text, start, start + find.length, wordText);
    const [first, last] = [runs[0], runs.at(-1)];
    if (!first || !last) continue;
    id++;
    const within = paragraph.text.paragraph;
    const own = prefixOf(within, wordSpace);
    insertBefore(first, parseFragment(`<${own}commentRangeStart ${own}id="${id}"/>`, within));
    const end = `<${own}commentRangeEnd ${own}id="${id}"/><${own}r><${own}commentReference ${own}id="${id}"/></${own}r>`;
    insertAfter(last, parseFragment(end, within));
    const attributes = document.changeAttributes(comments).replace(/id="\d+"/, `id="${id}"`);
    const initials = escapeMarkup(initialsOf(author));
    const body = lines.map((line, at) => {
      const reference = at === 0 ? `<${w}r><${w}annotationRef/></${w}r>` : '';
      return `<${w}p>${reference}<${w}r>${writeRunText(line, comments)}</${w}r></${w}p>`;
    });
    comments.append(
      parseElement(`<${w}comment ${attributes} ${w}initials="${initials}">${body.join('')}</${w}comment>`, comments),
    );
  }
  return `commented on ${quotePlace(find, 0, 60)}`;
}
