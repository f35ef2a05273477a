import { z } from 'zod';

/** The endings of files that can be edited, with what they are. */
export const officeFormats = ['docx', 'docm', 'xlsx', 'xlsm', 'pptx', 'pptm', 'pdf'] as const;
export type OfficeFormat = (typeof officeFormats)[number];

/** What happens to fields of a template without a value. */
const missingWays = ['error', 'keep', 'empty'] as const;
export type MissingWay = (typeof missingWays)[number];

const text = z.string().max(20_000);
const found = z.string().min(1).max(5_000);
const value = z.union([z.string().max(33_000), z.number(), z.boolean(), z.null()]);
const sheetName = z.string().min(1).max(100);

const wordEdits = [
  ...[
    'replace',
    'insert',
    'delete',
    'insert_rows',
    'delete_rows',
    'fill',
    'header',
    'footer',
    'picture',
    'comment',
    'accept',
    'reject',
  ],
] as const;
const workbookEdits = ['set', 'append', 'add_sheet', 'copy_sheet', 'move_sheet', 'rename_sheet'] as const;
const slideEdits = ['duplicate_slide', 'move_slide', 'delete_slide'] as const;
const pdfEdits = ['merge', 'select_pages', 'rotate_pages', 'stamp', 'flatten', 'split'] as const;

/** One edit; which fields it needs depends on `do`. Flat, because not every model handles alternatives of objects. */
const edit = z
  .strictObject({
    do: z
      .enum([...wordEdits, ...workbookEdits, ...slideEdits, ...pdfEdits])
      .describe(
        'Word: replace (find, with), insert (paragraphs; after or before), delete (find, to), fill (values), header, footer (text), picture (image; at or after), comment (find, text), insert_rows (rows; after or before: text of a table row), delete_rows (find, to), accept, reject (all tracked changes, or those of author). Excel: set (sheet; cells, or at and rows), append (table or sheet; rows), add_sheet (name, rows), copy_sheet (sheet, name, position), move_sheet (sheet, position), rename_sheet (sheet, name), header, footer (text: left | middle | right; of a sheet or all), fill. PowerPoint: replace, fill (of slide, or all), duplicate_slide, move_slide (slide, position), delete_slide (slide), picture (slide, image, at: its name). PDF: merge (files, position), select_pages (pages, in their new order), rotate_pages (degrees, pages), stamp (text or image; pages, at, size, opacity), fill (values by field; unknown ones are answered with the list), flatten (fields become content), split (pages: a file for each part).',
      ),
    find: found.optional().describe('Exact text within one paragraph. delete: text of the first paragraph to delete.'),
    with: text
      .optional()
      .describe(
        'replace: the new text; "" deletes. Tracked, it is one change, or several where three words or more stay between them.',
      ),
    all: z.boolean().optional().describe('replace: wherever it occurs; otherwise it must occur once.'),
    paragraphs: z.array(text).min(1).max(500).optional().describe('insert: one text for each, in the form of the neighbor.'),
    after: found.optional().describe('Text of the paragraph after which to insert.'),
    before: found.optional().describe('Text of the paragraph before which to insert.'),
    style: z.string().max(200).optional().describe('insert: a paragraph style of the document, such as "Heading 2".'),
    to: found.optional().describe('delete: text of the last paragraph to delete.'),
    values: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'fill: for {{name}}, {{a.b}}; a list for {{#items}}…{{/items}}, which repeats the table row, the paragraphs, or the words between; {{^items}}…{{/items}} is shown without.',
      ),
    missing: z.enum(missingWays).optional().describe('fill: what happens to fields without a value. Default: error.'),
    text: text
      .optional()
      .describe(
        'header, footer, stamp: {page} and {pages} become numbers, in Excel also {sheet} and {date}; lines are paragraphs. comment: what it says.',
      ),
    pages: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'PDF: such as "1-3,7,9-"; all by default. header, footer: default, first, or even; default is all without one of their own.',
      ),
    files: z.array(z.string()).min(1).max(50).optional().describe('merge: the PDFs to add.'),
    degrees: z
      .union([z.literal(90), z.literal(180), z.literal(270)])
      .optional()
      .describe('rotate_pages: clockwise.'),
    size: z.number().min(4).max(300).optional().describe('stamp: of the text, in points.'),
    opacity: z.number().min(0.02).max(1).optional().describe('stamp: 1 hides what is below.'),
    image: z.string().optional().describe('picture, stamp: a file of the workspace.'),
    at: found
      .optional()
      .describe(
        'picture: the text that it replaces, such as "{{logo}}"; on a slide the name of the picture that it replaces. set: the cell where rows begin. stamp: bottom-center, top-right, center, diagonal …',
      ),
    width_cm: z.number().min(0.2).max(100).optional().describe('picture. Default: its own, at most that of the text.'),
    alt: z.string().max(500).optional().describe('picture: what it shows, for readers who do not see it.'),
    author: z.string().max(100).optional().describe('accept, reject: whose changes. Default: everybody’s.'),
    sheet: sheetName.optional().describe('Excel: needed if there are several.'),
    cells: z
      .record(z.string().max(20), value)
      .optional()
      .describe('set: {"B2": 5, "B3": "=SUM(B1:B2)", "B4": "2026-03-31", "B5": null}; \'=a is a text. Cells keep their format.'),
    rows: z
      .array(z.union([z.array(value).max(1_000), z.record(z.string().max(300), value)]))
      .min(1)
      .max(20_000)
      .optional()
      .describe('Lists of values; append, insert_rows: also objects by column.'),
    table: z.string().max(300).optional().describe('append: a table, which grows with what reads it.'),
    slide: z.int().min(1).max(10_000).optional().describe('PowerPoint: its number, as it is when the edit is made.'),
    position: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('The number that the moved slide or sheet or the copy gets; merge: the page before which.'),
    name: z.string().max(100).optional().describe('Of the new, copied, or renamed sheet.'),
  })
  .meta({ disclosure: 'briefly' })
  .describe(
    'do: replace (find, with), insert (paragraphs, after), delete, fill (values: {{name}}, {{#list}}…{{/list}}), header, footer, picture, comment, insert_rows (after, rows), accept, reject; Excel: set (cells: {B2: 5}), append, add_sheet, copy_sheet; slides: duplicate_slide, move_slide; PDF: merge, split, select_pages, stamp',
  );

export const officeFields = {
  path: z.string(),
  output: z.string().optional().describe('Default: NAME-edited beside path.').meta({ disclosure: 'later' }),
  edits: z.array(edit).min(1).max(200),
  track: z.boolean().default(false).describe('Changes in Word.'),
  author: z.string().max(100).default('Errand').describe('Of comments and tracked changes.').meta({ disclosure: 'later' }),
};

const officeSpec = z.strictObject(officeFields);
export type OfficeEdit = z.infer<typeof officeSpec>['edits'][number];
export type EditName = OfficeEdit['do'];
/** A row as it is given: values in order, or by the names of columns. */
export type GivenRow = NonNullable<OfficeEdit['rows']>[number];

export interface OfficeJob {
  path: string;
  output: string;
  edits: readonly OfficeEdit[];
  track: boolean;
  author: string;
  nowMs: number;
}
