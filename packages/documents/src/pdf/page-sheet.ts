import {
  beginText,
  endText,
  fill,
  lineTo,
  moveTo,
  type PDFDocument,
  PDFName,
  type PDFOperator,
  type PDFPage,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingRgbColor,
  setFontAndSize,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  showText,
  stroke,
} from '@cantoo/pdf-lib';
import type { EmbeddedFont } from './embedded-font.ts';

/** `#rrggbb` */
export type Color = `#${string}`;

export interface Box {
  x: number;
  /** Distance of the upper edge from the top of the page. */
  y: number;
  width: number;
  height: number;
}

function parts(color: Color): [number, number, number] {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

/** One page. Lengths are in points, measured from the top left corner. */
export class PageSheet {
  readonly page: PDFPage;
  readonly #document: PDFDocument;
  readonly #fonts = new Set<string>();

  constructor(document: PDFDocument, width: number, height: number) {
    this.#document = document;
    this.page = document.addPage([width, height]);
  }

  #draw(...operators: PDFOperator[]): void {
    this.page.pushOperators(pushGraphicsState(), ...operators, popGraphicsState());
  }

  #flip(y: number): number {
    return this.page.getHeight() - y;
  }

  /** Writes text in one font with its baseline at `y`. */
  write(font: EmbeddedFont, text: string, x: number, y: number, size: number, color: Color): void {
    const name = PDFName.of(font.key);
    if (!this.#fonts.has(font.key)) {
      this.page.node.setFontDictionary(name, font.reference);
      this.#fonts.add(font.key);
    }
    const place = setTextMatrix(1, 0, 0, 1, x, this.#flip(y));
    const glyphs = showText(font.encode(text));
    this.#draw(setFillingRgbColor(...parts(color)), beginText(), setFontAndSize(name, size), place, glyphs, endText());
  }

  fillBox({ x, y, width, height }: Box, color: Color): void {
    this.#draw(setFillingRgbColor(...parts(color)), rectangle(x, this.#flip(y + height), width, height), fill());
  }

  drawLine(x1: number, y1: number, x2: number, y2: number, color: Color, width: number): void {
    const path = [moveTo(x1, this.#flip(y1)), lineTo(x2, this.#flip(y2)), stroke()];
    this.#draw(setStrokingRgbColor(...parts(color)), setLineWidth(width), ...path);
  }

  /** Links an area of the page to a URL. */
  link({ x, y, width, height }: Box, address: string): void {
    const { context } = this.#document;
    const annotation = context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [x, this.#flip(y + height), x + width, this.#flip(y)],
      Border: [0, 0, 0],
      A: { Type: 'Action', S: 'URI', URI: PDFString.of(address) },
    });
    this.page.node.addAnnot(context.register(annotation));
  }
}
