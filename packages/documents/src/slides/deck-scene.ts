import type { ChartData, ChartSpec } from '../charts/chart-spec.ts';
import type { Run } from '../content/blocks.ts';
import type { Picture } from '../pictures/picture-file.ts';

/** A slide is 1280 by 720 units; a unit is a pixel of the page and three quarters of a point on paper. */
export const slideSize = { width: 1280, height: 720 } as const;

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Paragraph {
  runs: Run[];
  size: number;
  color: string;
  isBold?: boolean;
  isItalic?: boolean;
  /** The level of its bullet; undefined for a paragraph without one. */
  bulletLevel?: number;
  spaceBefore?: number;
}

export interface CellText {
  text: string;
  isRight: boolean;
}

/** The elements of a slide with their positions: both forms of a deck draw the same. */
export type Element =
  | { kind: 'box'; frame: Frame; fill: string; radius?: number }
  | {
      kind: 'text';
      frame: Frame;
      paragraphs: Paragraph[];
      align?: 'left' | 'center' | 'right';
      anchor?: 'top' | 'middle' | 'bottom';
      /** The slide's name for readers and outlines. */
      isTitle?: boolean;
    }
  | { kind: 'image'; frame: Frame; picture: Picture; description: string }
  | { kind: 'chart'; frame: Frame; spec: ChartSpec; data: ChartData }
  | { kind: 'table'; frame: Frame; columns: CellText[]; rows: CellText[][]; widths: number[]; rowHeight: number; size: number };

export interface Scene {
  name: string;
  ground: string;
  elements: Element[];
  notes: string;
}

export const lineHeight = 1.28;
export const bulletIndent = 30;
