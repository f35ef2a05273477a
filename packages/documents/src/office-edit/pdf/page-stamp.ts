import {
  beginText,
  concatTransformationMatrix,
  drawObject,
  endText,
  type PDFDocument,
  type PDFImage,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  setFillingRgbColor,
  setFontAndSize,
  setGraphicsState,
  setTextMatrix,
  showText,
} from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';
import type { FontBook } from '../../pdf/font-book.ts';

const places = [
  ...['top-left', 'top-center', 'top-right', 'center', 'diagonal'],
  ...['bottom-left', 'bottom-center', 'bottom-right'],
] as const;
type Place = (typeof places)[number];

/** Distance from the edges of the page, in points. */
const marginPt = 28;
const lineHeight = 1.3;
/** The part of the page's diagonal that a text across it takes. */
const diagonalPart = 0.7;

export interface Stamp {
  /** `{page}` and `{pages}` become numbers. */
  text: string | undefined;
  image: PDFImage | undefined;
  at: string | undefined;
  sizePt: number | undefined;
  /** Width of a picture in points; undefined for the picture's own width. */
  widthPt: number | undefined;
  opacity: number | undefined;
}

function readPlace(at: string): Place {
  const place = places.find((each) => each === at.toLowerCase().replaceAll(/[\s_]+/g, '-'));
  if (place) return place;
  throw invalidField('at', `${JSON.stringify(at)} is no place on a page. There are ${places.join(', ')}.`);
}

type Matrix = [number, number, number, number, number, number];

interface Sheet {
  width: number;
  height: number;
  /** Transforms a position on the page as it is seen, measured from its lower left corner, to the page's own coordinates. */
  matrix: PDFOperator;
}

/** The page as it is seen: turned, and without what is cut off. */
function measureSheet(page: PDFPage): Sheet {
  const { x, y, width, height } = page.getCropBox();
  const turns = (((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  const matrices: Record<0 | 1 | 2 | 3, Matrix> = [
    [1, 0, 0, 1, x, y],
    [0, 1, -1, 0, x + width, y],
    [-1, 0, 0, -1, x + width, y + height],
    [0, -1, 1, 0, x, y + height],
  ];
  const size = turns % 2 === 0 ? { width, height } : { width: height, height: width };
  return { ...size, matrix: concatTransformationMatrix(...matrices[turns]) };
}

/** The lower left corner of a box at a place. */
function placeBox(place: Place, { width, height }: Sheet, box: { width: number; height: number }): { x: number; y: number } {
  const middle = { x: (width - box.width) / 2, y: (height - box.height) / 2 };
  const x = place.endsWith('left') ? marginPt : place.endsWith('right') ? width - marginPt - box.width : middle.x;
  const y = place.startsWith('top') ? height - marginPt - box.height : place.startsWith('bottom') ? marginPt : middle.y;
  return { x, y };
}

function writeLine(page: PDFPage, book: FontBook, text: string, size: number, matrix: Matrix): PDFOperator[] {
  const [a, b, c, d] = matrix;
  let [, , , , x, y] = matrix;
  return book.split(text, 'regular').flatMap(({ font, text: part, width }) => {
    const name = page.node.newFontDictionary('Stamp', font.reference);
    const operators = [setFontAndSize(name, size), setTextMatrix(a, b, c, d, x, y), showText(font.encode(part))];
    x += a * width * size;
    y += b * width * size;
    return operators;
  });
}

function writeDiagonal(page: PDFPage, book: FontBook, text: string, sheet: Sheet, wantedSize: number | undefined): PDFOperator[] {
  const angle = Math.atan2(sheet.height, sheet.width);
  const relative = Math.max(0.1, book.measure(text, 'regular'));
  const size = wantedSize ?? Math.min(120, (Math.hypot(sheet.width, sheet.height) * diagonalPart) / relative);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [along, across] = [(relative * size) / 2, size * 0.35];
  const x = sheet.width / 2 - cos * along + sin * across;
  const y = sheet.height / 2 - sin * along - cos * across;
  return writeLine(page, book, text, size, [cos, sin, -sin, cos, x, y]);
}

function writeText(page: PDFPage, book: FontBook, text: string, sheet: Sheet, place: Place, size: number): PDFOperator[] {
  const lines = text.split('\n');
  const widths = lines.map((line) => book.measure(line, 'regular') * size);
  const box = { width: Math.max(...widths), height: lines.length * lineHeight * size };
  const { y } = placeBox(place, sheet, box);
  return lines.flatMap((line, at) => {
    const { x } = placeBox(place, sheet, { width: widths[at] ?? 0, height: 0 });
    return writeLine(page, book, line, size, [1, 0, 0, 1, x, y + box.height - (at + 1) * lineHeight * size + size * 0.3]);
  });
}

function drawPicture(page: PDFPage, image: PDFImage, sheet: Sheet, place: Place, widthPt: number | undefined): PDFOperator[] {
  const width = Math.min(widthPt ?? (image.width * 72) / 96, sheet.width - 2 * marginPt);
  const height = (width * image.height) / image.width;
  const { x, y } = placeBox(place, sheet, { width, height });
  const name = page.node.newXObject('Stamp', image.ref);
  return [concatTransformationMatrix(width, 0, 0, height, x, y), drawObject(name)];
}

/** Puts a text or a picture on a page, as upright as the page is seen. */
export function stampPage(document: PDFDocument, book: FontBook, page: PDFPage, { text, image, ...stamp }: Stamp): void {
  const place = readPlace(stamp.at ?? (image ? 'bottom-right' : 'bottom-center'));
  page.node.normalize();
  const sheet = measureSheet(page);
  const isAcross = place === 'diagonal';
  const opacity = stamp.opacity ?? (isAcross ? 0.18 : 1);
  const state = document.context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity });
  const look = setGraphicsState(page.node.newExtGState('Stamp', state));
  const written = (words: string) =>
    isAcross
      ? writeDiagonal(page, book, words, sheet, stamp.sizePt)
      : writeText(page, book, words, sheet, place, stamp.sizePt ?? 10);
  const drawn = image
    ? drawPicture(page, image, sheet, place, stamp.widthPt)
    : [beginText(), setFillingRgbColor(0.15, 0.17, 0.2), ...written(text ?? ''), endText()];
  page.pushOperators(pushGraphicsState(), sheet.matrix, look, ...drawn, popGraphicsState());
}
