import { zipSync } from 'fflate';
import { type MarkupNode, renderMarkup } from './markup-text.ts';
import { listAround, listWordComments } from './office-remarks.ts';
import { partText, type Parts } from './package-parts.ts';
import { attributeValues, readRemarks, readXmlLines, relatedParts } from './part-xml.ts';
import { longestReading, type Reading } from './document-reading.ts';
import { describeRevisions } from './word-revisions.ts';

/** A new zip of the parts that were unpacked within bounds, for libraries that need a file. */
export function repack(parts: Parts): Uint8Array<ArrayBuffer> {
  const files = Object.fromEntries([...parts].map(([name, bytes]) => [name, new Uint8Array(bytes)]));
  return Uint8Array.from(zipSync(files, { level: 0 }));
}

/** What no line of the text shows is said beside its type, where it is seen also with an excerpt. */
function nameWord(tracked: string | null, comments: number): string {
  const remarks = comments === 0 ? [] : [`${comments === 1 ? '1 comment' : `${comments} comments`} at the end`];
  return ['Word document', ...(tracked === null ? [] : [tracked]), ...remarks].join('; ');
}

/** What numberNotes needs of a parsed page. */
interface PageElement {
  nodeName: string;
  childNodes: Iterable<unknown>;
  firstElementChild: PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  prepend(text: string): void;
  append(node: unknown): void;
  replaceWith(node: unknown): void;
  remove(): void;
}

/** Notes come as a list without numbers and with arrows back: each gets the number that its reference in the text has. */
function numberNotes(document: PageElement & { createElement(name: string): PageElement }): void {
  const notes = [...document.querySelectorAll('li[id^="footnote-"], li[id^="endnote-"]')];
  for (const [index, note] of notes.entries()) {
    for (const back of note.querySelectorAll('a[href^="#footnote-ref-"], a[href^="#endnote-ref-"]')) back.remove();
    const own = document.createElement('div');
    // One by one: a call takes only so many.
    for (const child of [...note.childNodes]) own.append(child);
    const first = own.firstElementChild;
    (first?.nodeName === 'P' ? first : own).prepend(`[${index + 1}] `);
    note.replaceWith(own);
  }
}

/** The text with its footnotes, the headers before it, the footers, tracked changes, and comments after it. */
export async function readWord(parts: Parts): Promise<Reading> {
  const [mammoth, { parseHTML }] = await Promise.all([import('mammoth'), import('linkedom')]);
  const ignoreImages = { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) };
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(repack(parts)) }, ignoreImages);
  const { document } = parseHTML(`<html><body>${value}</body></html>`) as unknown as {
    document: Parameters<typeof numberNotes>[0] & { documentElement: MarkupNode };
  };
  numberNotes(document);
  const { headers, footers } = listAround(parts);
  const body = renderMarkup(document.documentElement).slice(0, longestReading);
  const tracked = describeRevisions(partText(parts, 'word/document.xml') || '<none/>');
  const comments = listWordComments(parts);
  const text = [...headers, body, ...footers, ...tracked.lines, ...comments.lines].join('\n\n');
  return { what: nameWord(tracked.summary, comments.count), text };
}

/** Slides in presentation order. */
function listSlides(parts: Parts): string[] {
  const relations = relatedParts(parts, 'ppt/presentation.xml');
  const order = attributeValues(partText(parts, 'ppt/presentation.xml'), 'p:sldId', ['r:id']);
  return order.map(([id = '']) => relations.get(id) ?? '').filter((name) => parts.has(name));
}

export function readSlides(parts: Parts): Reading {
  const slides = listSlides(parts);
  const readLines = (name: string) =>
    readXmlLines(
      partText(parts, name),
      (tag) => tag === 'a:t' || tag === 'p:text',
      (tag) => tag === 'a:p' || tag === 'p:text',
    );
  const text = slides.map((name, index) => {
    const related = [...relatedParts(parts, name).values()].filter((one) => parts.has(one));
    const read = (title: string, isIn: (one: string) => boolean) => {
      const lines = related.filter(isIn).flatMap(readLines);
      return lines.length === 0 ? [] : [title, ...lines];
    };
    const notes = read('Notes:', (one) => one.includes('notesSlide')).filter((line) => !/^\d+$/.test(line));
    const comments = read('Comments:', (one) => one.startsWith('ppt/comments/'));
    return [`--- slide ${index + 1} ---`, ...readLines(name), ...notes, ...comments].join('\n');
  });
  return { what: `presentation, ${slides.length} slides`, text: text.join('\n\n').slice(0, longestReading) };
}

/** Text documents and presentations in OpenDocument format, with headers and footers. */
export function readOpenDocument(parts: Parts): Reading {
  const isBlock = (name: string) => name === 'text:p' || name === 'text:h';
  const lines = readXmlLines(partText(parts, 'content.xml'), isBlock, isBlock);
  const around = (element: string, title: string) =>
    readRemarks(partText(parts, 'styles.xml') || '<none/>', element, isBlock).map(({ text }) => `--- ${title} ---\n${text}`);
  const text = [
    ...around('style:header', 'header'),
    lines.join('\n').slice(0, longestReading),
    ...around('style:footer', 'footer'),
  ];
  return { what: 'Open Document', text: text.join('\n\n') };
}
