import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import type { Element, Frame, Scene } from './deck-scene.ts';
import type { SlideColumn, SlideSpec } from './deck-spec.ts';
import { layOpening, layQuote, laySection } from './slide-openings.ts';
import {
  containPicture,
  contentFrame,
  contentWidth,
  fieldOf,
  fitText,
  layTitle,
  listParagraphs,
  margin,
  needField,
  plainParagraph,
  type SlideParts,
} from './slide-parts.ts';
import { layTable } from './slide-table.ts';
import { measureParagraphs } from './text-fit.ts';

const gap = 48;

function layBullets(parts: SlideParts, top: number): Element[] {
  const { slide, theme } = parts;
  if (slide.text === undefined) needField(parts, 'bullets', slide.bullets);
  const frame = contentFrame(top);
  return [{ kind: 'text', frame, paragraphs: fitText(parts, frame, listParagraphs(slide, theme, 30), 'bullets') }];
}

/** A narrow column of points next to a picture, chart or table. */
function layBeside(parts: SlideParts, frame: Frame): { shown: Frame; elements: Element[] } {
  const { slide, theme } = parts;
  if (!slide.bullets?.length && slide.text === undefined) return { shown: frame, elements: [] };
  const width = Math.round(frame.width * 0.34);
  const side: Frame = { ...frame, width };
  const paragraphs = fitText(parts, side, listParagraphs(slide, theme, 25), 'bullets');
  const shown = { ...frame, x: frame.x + width + gap, width: frame.width - width - gap };
  return { shown, elements: [{ kind: 'text', frame: side, paragraphs, anchor: 'middle' }] };
}

function layImage(parts: SlideParts, top: number): Element[] {
  const { slide, theme } = parts;
  const picture = parts.picture(needField(parts, 'image', slide.image));
  const { shown, elements } = layBeside(parts, contentFrame(top));
  const hasCaption = slide.caption !== undefined && slide.caption !== '';
  const place = containPicture(picture, hasCaption ? { ...shown, height: shown.height - 40 } : shown);
  const caption: Frame = { x: shown.x, y: place.y + place.height + 10, width: shown.width, height: 30 };
  const paragraphs = hasCaption
    ? fitText(parts, caption, [plainParagraph(slide.caption ?? '', 18, theme.muted)], 'caption', 12)
    : [];
  const description = cleanLine(slide.caption ?? slide.title);
  return [
    ...elements,
    { kind: 'image', frame: place, picture, description },
    ...(hasCaption ? [{ kind: 'text' as const, frame: caption, paragraphs, align: 'center' as const }] : []),
  ];
}

function layChart(parts: SlideParts, top: number): Element[] {
  const spec = needField(parts, 'chart', parts.slide.chart);
  const { shown, elements } = layBeside(parts, contentFrame(top));
  if (!parts.chartData) throw new Error('The data of a chart was not loaded.');
  return [...elements, { kind: 'chart', frame: shown, spec, data: parts.chartData }];
}

function layColumn(parts: SlideParts, column: SlideColumn, at: number, frame: Frame): Element[] {
  const { theme } = parts;
  const inner: Frame = { x: frame.x + 30, y: frame.y + 28, width: frame.width - 60, height: frame.height - 56 };
  const field = `columns.${at}`;
  const heading = column.title === undefined ? [] : [plainParagraph(column.title, 27, theme.accent, true)];
  const paragraphs = [...heading, ...listParagraphs(column, theme, 25)];
  const panel: Element = { kind: 'box', frame, fill: theme.panel, radius: 14 };
  if (column.image === undefined)
    return [panel, { kind: 'text', frame: inner, paragraphs: fitText(parts, inner, paragraphs, field) }];
  const textHeight = paragraphs.length === 0 ? 0 : Math.min(inner.height * 0.45, 60 + 40 * paragraphs.length);
  const area: Frame = { ...inner, y: inner.y + textHeight, height: inner.height - textHeight };
  const picture = parts.picture(column.image);
  const words: Frame = { ...inner, height: textHeight };
  return [
    panel,
    ...(paragraphs.length === 0
      ? []
      : [{ kind: 'text' as const, frame: words, paragraphs: fitText(parts, words, paragraphs, field) }]),
    { kind: 'image', frame: containPicture(picture, area), picture, description: cleanLine(column.title ?? '') },
  ];
}

/** The height of the columns: that of the tallest, but at least a minimum. */
function measureColumns(parts: SlideParts, columns: readonly SlideColumn[], width: number, most: number): number {
  if (columns.some(({ image }) => image !== undefined)) return most;
  const heights = columns.map((column) => {
    const heading = column.title === undefined ? [] : [plainParagraph(column.title, 27, parts.theme.accent, true)];
    return measureParagraphs([...heading, ...listParagraphs(column, parts.theme, 25)], width - 60);
  });
  return Math.min(most, Math.max(most * 0.55, ...heights.map((height) => height + 76)));
}

function layColumns(parts: SlideParts, top: number): Element[] {
  const columns = needField(parts, 'columns', parts.slide.columns);
  const frame = contentFrame(top);
  const width = (frame.width - 32 * (columns.length - 1)) / columns.length;
  const height = measureColumns(parts, columns, width, frame.height);
  return columns.flatMap((column, at) =>
    layColumn(parts, column, at, { ...frame, x: frame.x + at * (width + 32), width, height }),
  );
}

function layNumbers(parts: SlideParts, top: number): Element[] {
  const { theme } = parts;
  const numbers = needField(parts, 'numbers', parts.slide.numbers);
  const width = (contentWidth - 28 * (numbers.length - 1)) / numbers.length;
  const height = Math.min(300, 648 - top);
  const y = top + (648 - top - height) / 2;
  return numbers.flatMap(({ value, label }, at): Element[] => {
    const frame: Frame = { x: margin + at * (width + 28), y, width, height };
    const large: Frame = { x: frame.x + 24, y: y + 36, width: width - 48, height: 110 };
    const small: Frame = { x: frame.x + 24, y: y + 158, width: width - 48, height: height - 190 };
    const field = `numbers.${at}`;
    return [
      { kind: 'box', frame, fill: theme.panel, radius: 14 },
      {
        kind: 'text',
        frame: large,
        paragraphs: fitText(parts, large, [plainParagraph(value, 76, theme.accent, true)], field, 26),
        anchor: 'bottom',
      },
      { kind: 'text', frame: small, paragraphs: fitText(parts, small, [plainParagraph(label, 23, theme.text)], field, 13) },
    ];
  });
}

function layContent(parts: SlideParts, top: number): Element[] {
  switch (parts.slide.layout) {
    case 'bullets':
      return layBullets(parts, top);
    case 'two_columns':
      return layColumns(parts, top);
    case 'image':
      return layImage(parts, top);
    case 'chart':
      return layChart(parts, top);
    case 'table':
      return layTable(parts, needField(parts, 'table', parts.slide.table), contentFrame(top));
    case 'numbers':
      return layNumbers(parts, top);
    case 'title':
    case 'section':
    case 'quote':
      return [];
  }
}

const standsAlone: readonly SlideSpec['layout'][] = ['title', 'section', 'quote'];

function layFoot({ deck, index, theme }: SlideParts): Element[] {
  const name = cleanLine(deck.title).slice(0, 90);
  const left: Frame = { x: margin, y: 672, width: 800, height: 22 };
  const number: Frame = { x: 1280 - margin - 120, y: 672, width: 120, height: 22 };
  return [
    ...(name === '' ? [] : [{ kind: 'text' as const, frame: left, paragraphs: [plainParagraph(name, 14, theme.muted)] }]),
    { kind: 'text', frame: number, paragraphs: [plainParagraph(String(index + 1), 14, theme.muted)], align: 'right' },
  ];
}

/** Lays out a slide. Throws a Fault that names a missing or too long field. */
export function laySlide(parts: SlideParts): Scene {
  const { slide, theme, index } = parts;
  const isAlone = standsAlone.includes(slide.layout);
  if (slide.layout === 'section' && slide.title === '') throw invalidField(fieldOf(parts, 'title'), 'is missing.');
  const alone = { title: layOpening, section: laySection, quote: layQuote } as const;
  const opening = alone[slide.layout as keyof typeof alone];
  const { elements, top } = isAlone ? { elements: opening(parts), top: 0 } : layTitle(parts);
  const foot = slide.layout === 'title' || slide.layout === 'section' ? [] : layFoot(parts);
  return {
    name: cleanLine(slide.title || slide.text || '') || `Slide ${index + 1}`,
    ground: slide.layout === 'section' ? theme.section : theme.ground,
    elements: [...elements, ...layContent(parts, top), ...foot],
    notes: slide.notes ?? '',
  };
}
