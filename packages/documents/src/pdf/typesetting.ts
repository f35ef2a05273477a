import type { PDFImage } from '@cantoo/pdf-lib';
import type { PageFlow, Place } from './page-flow.ts';
import type { Color } from './page-sheet.ts';
import type { TextStyle } from './text-lines.ts';

export const ink = { text: '#1e293b', strong: '#0f172a', muted: '#64748b', line: '#cbd5e1', ground: '#f8fafc' } as const;
export const accent: Color = '#1d4ed8';

export const body: TextStyle = { size: 10.5, color: ink.text };
export const leading = 1.5;

export interface OutlineEntry {
  title: string;
  level: number;
  place: Place;
}

export interface Typesetting {
  flow: PageFlow;
  images: ReadonlyMap<string, PDFImage>;
  outline: OutlineEntry[];
  /** The current text area: narrower inside lists and quotes. */
  indent: number;
  style: TextStyle;
}
