import { type PageSize, pageSizes } from '../content/page-size.ts';
import type { PDFDocument } from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';
import type { FontBook } from './font-book.ts';
import { PageSheet } from './page-sheet.ts';

const margin = { side: 64, top: 66, bottom: 72 };
const mostPages = 1_500;

/** A block's position in the document: its page and distance from the top. */
export interface Place {
  pageNumber: number;
  y: number;
}

/** Pages that fill from top to bottom. */
export class PageFlow {
  readonly document: PDFDocument;
  readonly book: FontBook;
  readonly sheets: PageSheet[] = [];
  readonly #size: readonly [number, number];
  y = 0;

  constructor(document: PDFDocument, book: FontBook, size: PageSize) {
    this.document = document;
    this.book = book;
    this.#size = pageSizes[size];
    this.addPage();
  }

  get left(): number {
    return margin.side;
  }

  get width(): number {
    return this.#size[0] - 2 * margin.side;
  }

  get height(): number {
    return this.#size[1];
  }

  get bottom(): number {
    return this.height - margin.bottom;
  }

  /** The height of a page's content area. */
  get usableHeight(): number {
    return this.bottom - margin.top;
  }

  get sheet(): PageSheet {
    const sheet = this.sheets.at(-1);
    if (!sheet) throw new Error('The document has no page.');
    return sheet;
  }

  get isAtTop(): boolean {
    return this.y <= margin.top + 0.01;
  }

  get place(): Place {
    return { pageNumber: this.sheets.length, y: this.y };
  }

  addPage(): void {
    if (this.sheets.length >= mostPages)
      throw invalidField('markdown', `gives more than ${mostPages} pages. Make several documents.`);
    this.sheets.push(new PageSheet(this.document, this.#size[0], this.#size[1]));
    this.y = margin.top;
  }

  /** Leaves `height` between blocks; none at the top of a page. */
  space(height: number): void {
    if (!this.isAtTop) this.y += height;
  }

  /** Starts a new page if `height` does not fit on this one. */
  need(height: number): void {
    if (!this.isAtTop && this.y + height > this.bottom) this.addPage();
  }
}
