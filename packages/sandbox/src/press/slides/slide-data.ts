/** What a laid-out slide consists of. Lengths are CSS pixels of the slide, colors `#rrggbbaa`. */

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Nothing on a slide needs a larger length. */
const longestLength = 20_000;

/** A length that a page computed, within bounds. */
export function boundLength(length: number, longest = longestLength): number {
  return Number.isFinite(length) ? Math.min(longest, Math.max(-longest, length)) : 0;
}

export type Fill = { color: string } | { angle: number; stops: { at: number; color: string }[] };

export interface Line {
  width: number;
  color: string;
  style: 'solid' | 'dashed' | 'dotted';
}

export interface Run {
  text: string;
  font: string;
  size: number;
  color: string;
  isBold: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
  isStruck: boolean;
  /** Space between letters. */
  spacing: number;
  /** 1 for raised, -1 for lowered text. */
  shift: -1 | 0 | 1;
  link: string | null;
}

export interface Paragraph {
  runs: Run[];
  align: 'left' | 'center' | 'right' | 'justify';
  isRightToLeft: boolean;
  lineHeight: number;
  spaceBefore: number;
  /** What stands before its first line, and how far before it. */
  bullet: { text: string; color: string; indent: number } | null;
}

export interface Cell {
  columns: number;
  rows: number;
  fill: Fill | null;
  /** Left, top, right, bottom. */
  borders: (Line | null)[];
  padding: number[];
  anchor: 'top' | 'middle' | 'bottom';
  paragraphs: Paragraph[];
}

export interface Box {
  kind: 'box';
  frame: Frame;
  fill: Fill | null;
  line: Line | null;
  radius: number;
  shadow: { x: number; y: number; blur: number; color: string } | null;
}

export interface TextBox {
  kind: 'text';
  frame: Frame;
  role: 'title' | 'subtitle' | 'number' | null;
  paragraphs: Paragraph[];
}

export interface TableBox {
  kind: 'table';
  frame: Frame;
  columns: number[];
  /** A cell is null where one from above or beside it reaches. */
  rows: { height: number; cells: (Cell | null)[] }[];
}

export interface PictureBox {
  kind: 'picture';
  frame: Frame;
  /** Path in the workspace. */
  path: string;
  /** The file of the workspace that the page shows there; empty if there is none. */
  source: string;
  /** What a drawing says that it was made from; empty if nothing. */
  chart: string;
  description: string;
}

export type SlideElement = Box | TextBox | TableBox | PictureBox;

export interface Slide {
  kind: 'title' | 'section' | 'picture' | 'content';
  ground: Fill | null;
  /** A picture in place of the ground, where that is no plain color or simple gradient. */
  groundPicture: string | null;
  elements: SlideElement[];
  notes: string;
}

export interface SlideDeck {
  width: number;
  height: number;
  title: string;
  language: string;
  /** Roles of the design kit. */
  colors: Record<string, string>;
  fonts: { head: string; text: string };
  slides: Slide[];
}
