import type { FileChild, IParagraphOptions, Paragraph, ParagraphChild } from 'docx';
import type { PageNode } from './page-tree.ts';
import type { Look } from './word-inline.ts';

/** Where blocks are written. */
export interface BlockPlace {
  /** Width in twentieths of a point. */
  width: number;
  isMirrored: boolean;
  /** The style of paragraphs; null for that of the text. */
  style: string | null;
  look: Look;
  listDepth: number;
  /** Headings in boxes are not headings of the document. */
  isBoxed?: boolean;
  /** Whether nothing is above them in their cell or on their page. */
  isFirst?: boolean;
  align?: 'start' | 'center' | 'end';
}

/** Writes what is within boxes, tables, and figures. */
export interface Blocks {
  /** Whether what is written next begins a page. */
  readonly breaksPage: boolean;
  write(nodes: readonly PageNode[], place: BlockPlace): FileChild[];
  words(nodes: readonly PageNode[], place: BlockPlace, look?: Look): ParagraphChild[];
  paragraph(children: readonly ParagraphChild[], place: BlockPlace, options?: IParagraphOptions): Paragraph;
}
