import { invalidField } from '@errand/base/fault.ts';
import { escapeMarkup } from '../../clean-text.ts';
import type { Picture } from '../../pictures/picture-file.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { insertAfter, type MarkupElement, replaceNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { isolateRuns } from '../text/run-splitting.ts';
import { findText } from '../text/text-finding.ts';
import { findParagraph } from './paragraph-changes.ts';
import { relationAttributes, type WordDocument } from './word-document.ts';
import { wordSpace, wordText } from './word-text.ts';

const drawingSpace = 'http://schemas.openxmlformats.org/drawingml/2006';
const unitsPerPixel = 9_525;
const unitsPerTwip = 635;
const unitsPerCm = 360_000;
/** Text width of an A4 page with usual margins, for documents that do not say. */
const usualTextTwips = 9_026;

export interface PictureOptions {
  picture: Picture;
  at?: string | undefined;
  after?: string | undefined;
  widthCm?: number | undefined;
  alt: string;
}

/** The width between the margins of the last section. */
function textWidth(document: WordDocument): number {
  const section = document.body.elements.findLast((each) => each.is(wordSpace, 'sectPr'));
  const read = (local: string, name: string) => Number(section?.child(wordSpace, local)?.attribute(name, wordSpace));
  const width = read('pgSz', 'w') - read('pgMar', 'left') - read('pgMar', 'right');
  return (width > 0 ? width : usualTextTwips) * unitsPerTwip;
}

function sizeOf({ picture, widthCm }: PictureOptions, most: number): { cx: number; cy: number } {
  const wanted = widthCm === undefined ? Math.min(picture.width * unitsPerPixel, most) : widthCm * unitsPerCm;
  return { cx: Math.round(wanted), cy: Math.max(1, Math.round((wanted * picture.height) / picture.width)) };
}

function makeDrawing(document: WordDocument, part: string, options: PictureOptions, within: MarkupElement): MarkupElement {
  const { picture, alt } = options;
  const { parts } = document;
  const media = parts.freeName(`${document.main.slice(0, document.main.lastIndexOf('/') + 1)}media/image`, `.${picture.format}`);
  parts.write(media, picture.bytes, picture.format === 'png' ? 'image/png' : 'image/jpeg');
  const relation = parts.relate(part, 'image', media);
  const { cx, cy } = sizeOf(options, textWidth(document));
  const id = document.nextDrawingId();
  const named = `id="${id}" name="Picture ${id}" descr="${escapeMarkup(alt)}"`;
  const fill = `<pic:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`;
  const shape = `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`;
  const pic = `<pic:pic xmlns:pic="${drawingSpace}/picture" xmlns:r="${relationAttributes}"><pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr>${fill}${shape}</pic:pic>`;
  const graphic = `<a:graphic xmlns:a="${drawingSpace}/main"><a:graphicData uri="${drawingSpace}/picture">${pic}</a:graphicData></a:graphic>`;
  const inline = `<wp:inline xmlns:wp="${drawingSpace}/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr ${named}/>${graphic}</wp:inline>`;
  const w = prefixOf(within, wordSpace);
  return parseElement(`<${w}r><${w}drawing>${inline}</${w}drawing></${w}r>`, within);
}

/** Puts a picture in the place of a text, such as a mark of a template, or into a new paragraph after one. */
export function insertPicture(document: WordDocument, options: PictureOptions): string {
  const { at, after } = options;
  if ((at === undefined) === (after === undefined)) {
    throw invalidField(
      'at',
      'give either at, the text in whose place the picture goes, or after, text of the paragraph before it.',
    );
  }
  if (after !== undefined) {
    const place = findParagraph(document, 'after', after);
    const paragraph = parseElement(`<${prefixOf(place, wordSpace)}p></${prefixOf(place, wordSpace)}p>`, place);
    const story = document.stories().find(({ root }) => isInside(place, root));
    insertAfter(place, [paragraph]);
    paragraph.append(makeDrawing(document, story?.part ?? document.main, options, paragraph));
    return 'inserted a picture in a new paragraph';
  }
  const [match] = findText(document.paragraphs(), 'at', at ?? '', false);
  const [start] = match?.starts ?? [];
  if (!match || start === undefined) return 'inserted no picture';
  const { text, story } = match.paragraph;
  const [first, ...rest] = isolateRuns(text, start, start + (at ?? '').length, wordText);
  if (first) replaceNode(first, [makeDrawing(document, story.part, options, text.paragraph)]);
  for (const run of rest) replaceNode(run, []);
  return 'inserted a picture';
}

function isInside(element: MarkupElement, root: MarkupElement): boolean {
  for (let each: MarkupElement | null = element; each; each = each.parent) if (each === root) return true;
  return false;
}
