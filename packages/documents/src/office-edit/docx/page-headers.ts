import { invalidField } from '@errand/base/fault.ts';
import { cleanText, escapeMarkup } from '../../clean-text.ts';
import { parseElement, parseFragment } from '../markup/markup-parser.ts';
import { cloneNode, insertAfter, insertBefore, MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { listParagraphs, ParagraphText } from '../text/paragraph-text.ts';
import { startPart } from './comments.ts';
import { makeRun } from './run-changes.ts';
import { relationAttributes, type WordDocument } from './word-document.ts';
import { wordSpace, wordText } from './word-text.ts';

type Place = 'header' | 'footer';

/** Pages that may have headers of their own. */
const pageKinds = ['default', 'first', 'even'] as const;
type PageKind = (typeof pageKinds)[number];

function readKind(pages: string): PageKind {
  const kind = pageKinds.find((each) => each === pages);
  if (kind) return kind;
  throw invalidField('pages', `${JSON.stringify(pages)} must be ${pageKinds.join(', ')}.`);
}

/** What follows `titlePg` in the properties of a section. */
const afterTitlePage = new Set(['textDirection', 'bidi', 'rtlGutter', 'docGrid', 'printerSettings', 'sectPrChange']);

function listSections(document: WordDocument): MarkupElement[] {
  const sections = [
    ...document.body.descendants((each) => each.is(wordSpace, 'sectPr') && each.parent?.local !== 'sectPrChange'),
  ];
  if (sections.length > 0) return sections;
  const section = parseElement(`<${prefixOf(document.body, wordSpace)}sectPr/>`, document.body);
  document.body.append(section);
  return [section];
}

/** The parts that the sections show on pages of this kind. */
function findParts(document: WordDocument, place: Place, kind: PageKind): Set<string> {
  const targets = new Map(document.parts.relations(document.main).map(({ id, target }) => [id, target]));
  const parts = listSections(document).flatMap((section) =>
    section.elements.flatMap((each) => {
      const isMeant = each.is(wordSpace, `${place}Reference`) && (each.attribute('type', wordSpace) ?? 'default') === kind;
      const target = isMeant ? targets.get(each.attribute('id', relationAttributes) ?? '') : undefined;
      return target !== undefined && document.parts.has(target) ? [target] : [];
    }),
  );
  return new Set(parts);
}

/** A new header of the first section, which those after it take over. */
function addPart(document: WordDocument, place: Place, kind: PageKind): string {
  const { parts, main } = document;
  const [section] = listSections(document);
  if (!section || kind === 'even') {
    throw invalidField(
      'pages',
      `the document has no ${place} of its own for even pages. Use default, or set different pages in Word first.`,
    );
  }
  const part = parts.freeName(`${main.slice(0, main.lastIndexOf('/') + 1)}${place}`, '.xml');
  const local = place === 'header' ? 'hdr' : 'ftr';
  parts.write(part, startPart(document, local), `application/vnd.openxmlformats-officedocument.wordprocessingml.${place}+xml`);
  const root = parts.root(part);
  root.append(parseElement(`<${prefixOf(root, wordSpace)}p/>`, root));
  const w = prefixOf(section, wordSpace);
  const r = section.scope.prefixOf(relationAttributes);
  const id = parts.relate(main, place, part);
  const name = r === undefined ? `xmlns:r="${relationAttributes}" r:id` : `${r}:id`;
  section.insertAt(0, [parseElement(`<${w}${place}Reference ${w}type="${kind}" ${name}="${id}"/>`, section)]);
  if (kind === 'first' && !section.child(wordSpace, 'titlePg')) {
    const title = parseElement(`<${w}titlePg/>`, section);
    const next = section.elements.find((each) => afterTitlePage.has(each.local));
    if (next) insertBefore(next, [title]);
    else section.append(title);
  }
  return part;
}

/** A field that shows a number of the page, in the format of the runs around it. */
function makeField(code: string, like: MarkupElement | null, within: MarkupElement): MarkupElement {
  const w = prefixOf(within, wordSpace);
  const field = parseElement(`<${w}fldSimple ${w}instr=" ${escapeMarkup(code)} "></${w}fldSimple>`, within);
  field.append(makeRun('1', like, within));
  return field;
}

const fields: Readonly<Record<string, string>> = { '{page}': 'PAGE', '{pages}': 'NUMPAGES' };

const drawings = new Set(['drawing', 'pict', 'object', 'AlternateContent']);
const hasDrawing = (element: MarkupElement) => !element.descendants(({ local }) => drawings.has(local)).next().done;

/** Puts a line into a paragraph, which keeps its form and its pictures. */
function setLine(paragraph: MarkupElement, line: string): void {
  const like = new ParagraphText(paragraph, wordText).pieces[0]?.run ?? null;
  const format = like && cloneNode(like);
  const kept = paragraph.children.filter(
    (child) => child instanceof MarkupElement && (child.is(wordSpace, 'pPr') || hasDrawing(child)),
  );
  const parts = line.split(/(\{pages?\})/).filter((part) => part !== '');
  const runs = parts.map((part) => {
    const code = fields[part];
    return code === undefined ? makeRun(part, format, paragraph) : makeField(code, format, paragraph);
  });
  paragraph.replaceChildren([...kept, ...runs]);
}

function setText(root: MarkupElement, lines: readonly string[]): void {
  const isText = (paragraph: MarkupElement) => new ParagraphText(paragraph, wordText).text.trim() !== '';
  const paragraphs = listParagraphs(root, wordText);
  const first = paragraphs.find(isText) ?? paragraphs[0];
  if (!first) {
    root.append(...parseFragment(`<${prefixOf(root, wordSpace)}p/>`, root));
    return setText(root, lines);
  }
  for (const other of paragraphs) {
    if (other === first || !isText(other)) continue;
    if (other.parent === root && !hasDrawing(other)) removeNode(other);
    else setLine(other, '');
  }
  setLine(first, lines[0] ?? '');
  const more = lines.slice(1).map((line) => {
    const copy = cloneNode(first);
    copy.replaceChildren(copy.children.filter((child) => !(child instanceof MarkupElement && hasDrawing(child))));
    setLine(copy, line);
    return copy;
  });
  insertAfter(first, more);
}

/** Sets the text of the headers or footers; `{page}` and `{pages}` become the numbers of the page and of all pages. */
export function setPageText(document: WordDocument, place: Place, text: string, given: string): string {
  const kind = readKind(given);
  const lines = cleanText(text).split('\n');
  const found = findParts(document, place, kind);
  const parts = found.size > 0 ? [...found] : [addPart(document, place, kind)];
  for (const part of parts) setText(document.parts.root(part), lines);
  const pages = kind === 'default' ? '' : ` of ${kind} pages`;
  return found.size > 0 ? `set the ${place}${pages}` : `added a ${place}${pages}`;
}
