/** A run of text in one style. */
export interface DrawnRun {
  text: string;
  /** Points; null for that of its shape. */
  size: number | null;
  isBold: boolean;
  isItalic: boolean;
  color: string | null;
}

export interface DrawnParagraph {
  runs: DrawnRun[];
  align: 'left' | 'center' | 'right';
  /** The indentation level; a bulleted paragraph has a dot. */
  level: number;
  hasBullet: boolean;
}

/** A part of a slide, in points from its upper left corner. */
export interface DrawnShape {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string | null;
  paragraphs: DrawnParagraph[];
  /** Size of text without a size of its own, in points. */
  size: number;
  /** A picture as a data URL. */
  picture: string | null;
  anchor: 'top' | 'middle' | 'bottom';
}

export interface DrawnSlide {
  title: string;
  notes: string;
  background: string;
  shapes: DrawnShape[];
}

/** What is read from a presentation: text, pictures and their positions. */
export interface Presentation {
  /** Points. */
  width: number;
  height: number;
  slides: DrawnSlide[];
}
