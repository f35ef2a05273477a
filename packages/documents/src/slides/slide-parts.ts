import { invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../clean-text.ts';
import { readInline } from '../content/markdown.ts';
import type { Picture } from '../pictures/picture-file.ts';
import type { ChartData } from '../charts/chart-spec.ts';
import type { DeckSpec, SlideSpec } from './deck-spec.ts';
import type { Element, Frame, Paragraph } from './deck-scene.ts';
import type { DeckTheme } from './deck-themes.ts';
import { fitParagraphs, measureParagraphs } from './text-fit.ts';

/** Everything a slide is drawn from. */
export interface SlideParts {
  deck: DeckSpec;
  slide: SlideSpec;
  /** Counted from 0. */
  index: number;
  theme: DeckTheme;
  picture(path: string): Picture;
  chartData: ChartData | null;
}

export const margin = 72;
export const contentWidth = 1280 - 2 * margin;
const smallest = 15;

export function fieldOf({ index }: SlideParts, field: string): string {
  return `slides.${index}.${field}`;
}

/** The field that a layout requires. */
export function needField<T>(parts: SlideParts, field: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw invalidField(fieldOf(parts, field), `is missing: a slide of the layout ${parts.slide.layout} needs it.`);
}

/** Fits a text into its frame, at most at the requested size. */
export function fitText(
  parts: SlideParts,
  frame: Frame,
  paragraphs: readonly Paragraph[],
  field: string,
  least = smallest,
): Paragraph[] {
  const fitting = fitParagraphs(paragraphs, frame.width, frame.height, least);
  if (fitting) return fitting;
  throw invalidField(fieldOf(parts, field), 'is too much for one slide. Shorten it, or divide it into two slides.');
}

export function plainParagraph(text: string, size: number, color: string, isBold = false): Paragraph {
  const run = { text: cleanText(text), isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };
  return { runs: [run], size, color, isBold };
}

/** Points and running text, in reading order. */
export function listParagraphs(
  content: { text?: string | undefined; bullets?: string[] | undefined },
  theme: DeckTheme,
  size = 28,
): Paragraph[] {
  const texts = (content.text ?? '').split(/\n\s*\n/).filter((text) => text.trim() !== '');
  const paragraphs = texts.map(
    (text): Paragraph => ({ runs: readInline(text), size, color: theme.text, spaceBefore: size * 0.6 }),
  );
  const points = (content.bullets ?? []).map((bullet): Paragraph => {
    const level = /^(\s{2,}|\t)/.test(bullet) ? 1 : 0;
    const runs = readInline(bullet.trim().replace(/^[-*•]\s+/, ''));
    const isDeep = level > 0;
    return {
      runs,
      size: isDeep ? size * 0.86 : size,
      color: isDeep ? theme.muted : theme.text,
      bulletLevel: level,
      spaceBefore: isDeep ? size * 0.28 : size * 0.55,
    };
  });
  return [...paragraphs, ...points];
}

/** The title at the top, and where the content below it starts. */
export function layTitle(parts: SlideParts): { elements: Element[]; top: number } {
  const { slide, theme } = parts;
  if (slide.title === '') return { elements: [], top: 72 };
  const frame: Frame = { x: margin, y: 56, width: contentWidth, height: 96 };
  const paragraphs = fitText(parts, frame, [plainParagraph(slide.title, 40, theme.strong, true)], 'title', 22);
  const elements: Element[] = [
    { kind: 'box', frame: { x: margin, y: 44, width: 48, height: 5 }, fill: theme.accent },
    { kind: 'text', frame, paragraphs, isTitle: true },
  ];
  // If the title takes one line, its second one is left to the content.
  const isOneLine = measureParagraphs(paragraphs, frame.width) < 60;
  const end = isOneLine ? 118 : 152;
  if (slide.subtitle === undefined) return { elements, top: end + 26 };
  const under: Frame = { x: margin, y: end - 4, width: contentWidth, height: 34 };
  const subtitle = fitText(parts, under, [plainParagraph(slide.subtitle, 22, theme.muted)], 'subtitle', 13);
  return { elements: [...elements, { kind: 'text', frame: under, paragraphs: subtitle }], top: end + 52 };
}

/** The frame from below the title to the bottom of the slide. */
export function contentFrame(top: number): Frame {
  return { x: margin, y: top, width: contentWidth, height: 648 - top };
}

/** The largest centered area for a picture inside a frame. */
export function containPicture({ width, height }: Picture, frame: Frame): Frame {
  const scale = Math.min(frame.width / width, frame.height / height, 3);
  const size = { width: width * scale, height: height * scale };
  return { ...size, x: frame.x + (frame.width - size.width) / 2, y: frame.y + (frame.height - size.height) / 2 };
}
