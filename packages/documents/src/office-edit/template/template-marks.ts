import { invalidField } from '@errand/base/fault.ts';
import type { ParagraphText } from '../text/paragraph-text.ts';

/** A mark of a template in a text: `{{name}}`, `{{#name}}`, `{{^name}}`, `{{/name}}`. */
export interface TextMark {
  kind: 'field' | 'open' | 'unless' | 'close';
  name: string;
  from: number;
  to: number;
}

/** A mark in a paragraph. */
export interface Mark extends TextMark {
  paragraph: ParagraphText;
}

/** A field, or a section with everything up to its end. */
export interface Entry {
  mark: Mark;
  end: Mark | null;
}

const markPattern = /\{\{\s?([#^/]?)\s?([\p{L}\p{N}_.-]{1,80}(?: [\p{L}\p{N}_.-]{1,80}){0,5})\s?\}\}/gu;
const kinds = { '': 'field', '#': 'open', '^': 'unless', '/': 'close' } as const;

/** The marks of a text in order. */
export function readMarks(text: string): TextMark[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(markPattern)].map((match) => {
    const [whole, sign = '', name = ''] = match;
    return { kind: kinds[sign as keyof typeof kinds], name, from: match.index, to: match.index + whole.length };
  });
}

/** The marks of a paragraph in order. */
export function listMarks(paragraph: ParagraphText): Mark[] {
  return readMarks(paragraph.text).map((mark) => ({ ...mark, paragraph }));
}

/** The fields and sections that are in no other section. Throws a Fault for one that does not end. */
export function nestMarks(marks: readonly Mark[]): Entry[] {
  const entries: Entry[] = [];
  const open: Mark[] = [];
  for (const mark of marks) {
    if (mark.kind === 'field') {
      if (open.length === 0) entries.push({ mark, end: null });
      continue;
    }
    if (mark.kind !== 'close') {
      open.push(mark);
      continue;
    }
    const begun = open.pop();
    if (begun?.name !== mark.name) {
      const problem = begun ? `ends before {{/${begun.name}}}` : `has no beginning {{#${mark.name}}}`;
      throw invalidField('path', `in the template {{/${mark.name}}} ${problem}.`);
    }
    if (open.length === 0) entries.push({ mark: begun, end: mark });
  }
  const [left] = open;
  if (left) throw invalidField('path', `in the template {{#${left.name}}} has no end {{/${left.name}}}.`);
  return entries;
}
