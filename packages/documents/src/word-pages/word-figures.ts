import { Bookmark, type FileChild, type IParagraphOptions, Paragraph, SimpleField, TextRun } from 'docx';
import { isElement, type PageElement } from './page-tree.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import { captionOf, type WordContext } from './word-context.ts';
import { lookOf, writePicture } from './word-inline.ts';
import { writeTable as writeCells } from './word-table.ts';

/** A number that Word counts, in bold also after it has counted anew. */
class BoldField extends SimpleField {
  constructor(instruction: string, number: string) {
    super(instruction);
    this.root.push(new TextRun({ text: number, bold: true }));
  }
}

/** Writes tables and figures with their numbered captions. */
export class FigureWriter {
  readonly #blocks: Blocks;
  readonly #context: WordContext;

  constructor(blocks: Blocks, context: WordContext) {
    this.#blocks = blocks;
    this.#context = context;
  }

  #writeCaption(
    caption: PageElement,
    kind: 'figure' | 'table',
    id: string,
    place: BlockPlace,
    options: IParagraphOptions,
  ): Paragraph {
    const words = this.#blocks.words(caption.children, place);
    const { isNumbered, labels, words: own } = this.#context;
    if (!isNumbered) return this.#blocks.paragraph(words, { ...place, style: 'Caption' }, options);
    const number = [
      new TextRun({ text: `${own[kind]} `, bold: true }),
      new BoldField(`SEQ ${own[kind]} \\* ARABIC \\* MERGEFORMAT`, String(this.#context.nextNumber(kind))),
    ];
    const label = labels.get(id) ?? labels.get(caption.attributes['id'] ?? '');
    const counted = label === undefined ? number : [new Bookmark({ id: label, children: number })];
    return this.#blocks.paragraph(
      [...counted, new TextRun({ text: '. ', bold: true }), ...words],
      { ...place, style: 'Caption' },
      options,
    );
  }

  writeTable(element: PageElement, place: BlockPlace): FileChild[] {
    const caption = captionOf(element);
    const title = caption
      ? [this.#writeCaption(caption, 'table', element.attributes['id'] ?? '', place, { keepNext: true })]
      : [];
    if (!caption && this.#blocks.breaksPage) title.push(this.#blocks.paragraph([], { ...place, style: 'TableText' }));
    const table = writeCells(element, this.#context.theme, place, (cell, width, { isHead, isTotal, align }) => {
      const look = {
        ...place.look,
        ...lookOf(cell, this.#context.theme),
        ...((isHead || isTotal || cell.name === 'th') && { bold: true }),
      };
      const made = this.#blocks.write(cell.children, {
        ...place,
        width,
        look,
        style: 'TableText',
        listDepth: 0,
        align,
        isBoxed: true,
      }) as Paragraph[];
      return made.length > 0 ? made : [this.#blocks.paragraph([], { ...place, style: 'TableText' })];
    });
    return table ? [...title, table, new Paragraph({ spacing: { before: 0, after: 120 } })] : title;
  }

  writeFigure(element: PageElement, place: BlockPlace): FileChild[] {
    const caption = captionOf(element);
    const shown = element.children.flatMap((child): FileChild[] => {
      if (!isElement(child) || child === caption) return [];
      const picture = writePicture(this.#context, child, place.width);
      if (!picture) return this.#blocks.write([child], place);
      return [
        this.#blocks.paragraph(
          [picture],
          { ...place, align: 'center' },
          { keepNext: caption !== undefined, spacing: { before: 160, after: 60 } },
        ),
      ];
    });
    const words = caption
      ? [this.#writeCaption(caption, 'figure', element.attributes['id'] ?? '', place, { spacing: { before: 60, after: 220 } })]
      : [];
    return [...shown, ...words];
  }
}
