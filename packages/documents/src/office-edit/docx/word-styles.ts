import { invalidField } from '@errand/base/fault.ts';
import { findNearestName } from '@errand/base/text/nearest-name.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import type { WordDocument } from './word-document.ts';
import { wordSpace } from './word-text.ts';

function valueOf(element: MarkupElement | undefined, local: string): string | undefined {
  return element?.child(wordSpace, local)?.attribute('val', wordSpace);
}

function listStyles(document: WordDocument): MarkupElement[] {
  const part = document.related('styles');
  if (part === null) return [];
  return document.parts
    .root(part)
    .elements.filter((each) => each.is(wordSpace, 'style') && each.attribute('type', wordSpace) === 'paragraph');
}

/** The id of a paragraph style by its name or id. Throws a Fault that lists those there are. */
export function findStyle(document: WordDocument, wanted: string): string {
  const styles = listStyles(document).map((style) => ({
    id: style.attribute('styleId', wordSpace) ?? '',
    name: valueOf(style, 'name') ?? '',
  }));
  const key = wanted.trim().toLowerCase();
  const found = styles.find(({ name }) => name.toLowerCase() === key) ?? styles.find(({ id }) => id.toLowerCase() === key);
  if (found) return found.id;
  const names = styles.map(({ name }) => name);
  const nearest = findNearestName(wanted, names);
  const meant = nearest === null ? '' : ` Perhaps ${JSON.stringify(nearest)} is meant.`;
  throw invalidField(
    'style',
    `the document has no style ${JSON.stringify(wanted)}.${meant} It has ${names.slice(0, 30).join(', ')}.`,
  );
}

/** The style that follows a heading; null for a paragraph that is none. '' is the usual style. */
export function styleAfterHeading(document: WordDocument, paragraph: MarkupElement): string | null {
  const id = valueOf(paragraph.child(wordSpace, 'pPr'), 'pStyle');
  if (id === undefined) return null;
  const style = listStyles(document).find((each) => each.attribute('styleId', wordSpace) === id);
  const isHeading = /^(heading \d|title|subtitle)$/i.test(valueOf(style, 'name') ?? '');
  if (!isHeading) return null;
  const next = valueOf(style, 'next');
  return next === undefined || next === id ? '' : next;
}
