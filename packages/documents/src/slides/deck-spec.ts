import { z } from 'zod';
import { chartFields } from '../charts/chart-spec.ts';

const deckThemes = ['light', 'dark', 'warm', 'forest'] as const;
export type DeckThemeName = (typeof deckThemes)[number];

const line = z.string().max(300);
const cell = z.union([z.string().max(500), z.number(), z.null()]);
const bullets = z
  .array(z.string().max(500))
  .max(14)
  .optional()
  .describe('Points; one that begins with two spaces stands one level deeper. **bold**, *italic*, `code`, [text](https://…).');

const column = z.strictObject({
  title: line.optional(),
  text: z.string().max(2_000).optional(),
  bullets,
  image: z.string().optional().describe('A picture of the workspace.'),
});

const slide = z
  .strictObject({
    layout: z
      .enum(['title', 'section', 'bullets', 'two_columns', 'image', 'chart', 'table', 'quote', 'numbers'])
      .describe('title and section stand alone; the others show what their name says under a title.'),
    title: line.default('').describe('The message of the slide in one sentence.'),
    subtitle: line.optional(),
    text: z.string().max(2_000).optional().describe('Running text; the words of a quote.'),
    bullets,
    columns: z.array(column).min(2).max(3).optional().describe('For two_columns: two or three.'),
    image: z.string().optional().describe('A picture of the workspace, for image; with bullets it stands beside them.'),
    caption: line.optional().describe('Under the image.'),
    chart: z.strictObject(chartFields).optional().describe('Fields of make_chart without path').meta({ disclosure: 'briefly' }),
    table: z
      .strictObject({ columns: z.array(line).min(1).max(10), rows: z.array(z.array(cell).max(10)).max(20) })
      .optional()
      .describe('For table: column names and rows of cells; up to 20 rows.'),
    numbers: z
      .array(z.strictObject({ value: z.string().max(20), label: z.string().max(120) }))
      .min(1)
      .max(4)
      .optional()
      .describe('For numbers: up to four large figures with what they mean.'),
    by: line.optional().describe('Who said the quote.'),
    notes: z.string().max(10_000).optional().describe('What the speaker says; shown to the speaker only.'),
  })
  .meta({ disclosure: 'briefly' })
  .describe(
    '{layout: title | section | bullets | two_columns | image | chart | table | quote | numbers, title, subtitle, text, bullets[], columns: {title, text, bullets, image}[], image, caption, chart (as make_chart), table: {columns, rows}, numbers: {value, label}[], by, notes}',
  );

export const deckFields = {
  title: line.default('').describe('The name of the deck. Default: that of the first slide.').meta({ disclosure: 'later' }),
  author: line.default('').describe('Shown on the title slide.').meta({ disclosure: 'later' }),
  date: line.default('').describe('Shown on the title slide, as it shall be read.').meta({ disclosure: 'later' }),
  theme: z.enum(deckThemes).default('light').meta({ disclosure: 'later' }),
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must look like "#1d4ed8"')
    .optional()
    .describe("The colour of bars, bullets and charts, such as a company's own.")
    .meta({ disclosure: 'later' }),
  slides: z.array(slide).min(1).max(100),
};

const deckSpec = z.strictObject(deckFields);
export type DeckSpec = z.infer<typeof deckSpec>;
export type SlideSpec = DeckSpec['slides'][number];
export type SlideColumn = NonNullable<SlideSpec['columns']>[number];
export type TableSpec = NonNullable<SlideSpec['table']>;
