import { z } from 'zod';

/** Slides as the browser laid them out. They come out of a page that anybody may have written, so every value is bounded. */

const length = z.number().min(-20_000).max(20_000);
const size = z.number().min(0).max(20_000);
const color = z.string().regex(/^#[0-9a-f]{8}$/);
const frame = z.object({ x: length, y: length, width: size, height: size });
const path = z.string().max(1_000);

const fill = z.union([
  z.object({ color }),
  z.object({
    angle: z.number().min(0).max(360),
    stops: z
      .array(z.object({ at: z.number().min(-10).max(10), color }))
      .min(2)
      .max(20),
  }),
]);

const line = z.object({ width: size, color, style: z.enum(['solid', 'dashed', 'dotted']) });

const run = z.object({
  text: z.string().max(20_000),
  font: z.string().max(100),
  size: z.number().min(0).max(2_000),
  color,
  isBold: z.boolean(),
  isItalic: z.boolean(),
  isUnderlined: z.boolean(),
  isStruck: z.boolean(),
  spacing: z.number().min(-200).max(200),
  shift: z.union([z.literal(-1), z.literal(0), z.literal(1)]),
  link: z.string().max(4_000).nullable().catch(null),
});

const paragraph = z.object({
  runs: z.array(run).max(500),
  align: z.enum(['left', 'center', 'right', 'justify']),
  isRightToLeft: z.boolean(),
  lineHeight: z.number().min(0).max(4_000),
  spaceBefore: z.number().min(0).max(4_000),
  bullet: z.object({ text: z.string().max(12), color, indent: size }).nullable(),
});

const cell = z.object({
  columns: z.int().min(1).max(30),
  rows: z.int().min(1).max(100),
  fill: fill.nullable(),
  borders: z.array(line.nullable()).length(4),
  padding: z.array(size).length(4),
  anchor: z.enum(['top', 'middle', 'bottom']),
  paragraphs: z.array(paragraph).max(200),
});

const element = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('box'),
    frame,
    fill: fill.nullable(),
    line: line.nullable(),
    radius: size,
    shadow: z.object({ x: length, y: length, blur: size, color }).nullable(),
  }),
  z.object({
    kind: z.literal('text'),
    frame,
    role: z.enum(['title', 'subtitle', 'number']).nullable(),
    paragraphs: z.array(paragraph).max(200),
  }),
  z.object({
    kind: z.literal('table'),
    frame,
    columns: z.array(size).min(1).max(30),
    rows: z
      .array(z.object({ height: size, cells: z.array(cell.nullable()).max(30) }))
      .min(1)
      .max(100),
  }),
  z.object({
    kind: z.literal('picture'),
    frame,
    path,
    source: path,
    chart: z.string().max(200_000),
    description: z.string().max(500),
  }),
]);

const slide = z.object({
  kind: z.enum(['title', 'section', 'picture', 'content']),
  ground: fill.nullable(),
  groundPicture: path.nullable(),
  elements: z.array(element).max(2_000),
  notes: z.string().max(20_000),
});

export const pageDeckSpec = z.object({
  width: z.number().min(100).max(5_000),
  height: z.number().min(100).max(5_000),
  title: z.string().max(300),
  language: z.string().max(35),
  colors: z.record(z.string().max(20), color),
  fonts: z.object({ head: z.string().max(100), text: z.string().max(100) }),
  slides: z.array(slide).min(1).max(200),
});

export type PageDeck = z.infer<typeof pageDeckSpec>;
export type PageSlide = PageDeck['slides'][number];
export type PageElement = PageSlide['elements'][number];
export type PageBox = Extract<PageElement, { kind: 'box' }>;
export type PageText = Extract<PageElement, { kind: 'text' }>;
export type PageTable = Extract<PageElement, { kind: 'table' }>;
export type PagePicture = Extract<PageElement, { kind: 'picture' }>;
export type PageParagraph = PageText['paragraphs'][number];
export type PageRun = PageParagraph['runs'][number];
export type PageFrame = PageBox['frame'];
export type PageFill = z.infer<typeof fill>;
export type PageLine = z.infer<typeof line>;
