import { BorderStyle, type FileChild, Paragraph } from 'docx';
import { hasClass, isElement, type PageElement, type PageNode, toneOf } from './page-tree.ts';
import type { Blocks, BlockPlace } from './block-place.ts';
import type { WordTheme } from './word-theme.ts';
import { type BoxLook, writeColumns, writePairs } from './word-columns.ts';

/** Classes that put what they hold side by side. */
const sideBySide = ['columns', 'compare', 'facts', 'cards', 'grid', 'letter-head'];
/** More would be too narrow to read. */
const mostBeside = 4;

/** Whether this element, or what is in it, is written in boxes or columns. */
export function isBoxed(element: PageElement): boolean {
  return hasClass(element, 'card', 'timeline', 'pay', ...sideBySide);
}

function gap(after: number): Paragraph {
  return new Paragraph({ spacing: { before: 0, after } });
}

/** Whether a box of a comparison begins with a label; the headings of the others line up with the one below it. */
function isLabeled(item: PageElement): boolean {
  const [first] = item.children.filter(isElement);
  if (first === undefined) return false;
  return (
    hasClass(first, 'badge') ||
    (first.name === 'p' && first.children.some((child) => isElement(child) && hasClass(child, 'badge')))
  );
}

/** Writes what a page shows beside each other or in boxes. */
export class BoxWriter {
  readonly #blocks: Blocks;
  readonly #theme: WordTheme;

  constructor(blocks: Blocks, theme: WordTheme) {
    this.#blocks = blocks;
    this.#theme = theme;
  }

  write(element: PageElement, place: BlockPlace): FileChild[] {
    const items = element.children.filter(isElement);
    if (hasClass(element, 'timeline')) return items.map((item) => this.#writeStep(item, place));
    if (hasClass(element, 'pay')) return [this.#writePairs(items, place), gap(160)];
    if (hasClass(element, 'letter-head')) return this.#writeLetterHead(items, place);
    if (hasClass(element, 'facts')) return this.#writeFacts(items, place);
    if (!hasClass(element, ...sideBySide)) return this.#writeBoxes([element], place, [], false);
    return this.#writeBoxes(items, place, hasClass(element, 'main-side') ? [5, 3] : [], hasClass(element, 'compare'));
  }

  /** Lists and tables stay in the box of a callout, which borders of paragraphs would not keep together. */
  writeCallout(element: PageElement, place: BlockPlace): FileChild[] {
    const { colors } = this.#theme;
    const tone = toneOf(element);
    const look = tone ? { fill: colors[`${tone}-tint`], start: colors[tone] } : { fill: colors.tint, start: colors.accent };
    const write = (width: number) => this.#inCell(element.children, { ...place, width });
    return [writeColumns([{ share: 1, look, write }], place), gap(160)];
  }

  /** A cell ends with a paragraph. @param hasOwnHeadings its headings are those of a box, not of the document */
  #inCell(nodes: readonly PageNode[], place: BlockPlace, hasOwnHeadings = true): FileChild[] {
    const made = this.#blocks.write(nodes, { ...place, isBoxed: hasOwnHeadings, isFirst: true });
    return made.at(-1) instanceof Paragraph ? made : [...made, new Paragraph({ style: 'TableText' })];
  }

  #writeStep(item: PageElement, place: BlockPlace): FileChild {
    const when = item.children.filter(isElement).find((child) => hasClass(child, 'when'));
    const rest = item.children.filter((child) => child !== when);
    const column = (share: number, nodes: readonly PageNode[], look: BoxLook, inner: Partial<BlockPlace>) => ({
      ...{ share, look },
      write: (width: number) => this.#inCell(nodes, { ...place, ...inner, width }),
    });
    const date = when ? [{ ...when, name: 'strong' }] : [];
    const line = { start: this.#theme.colors.accent };
    return writeColumns([column(1, date, {}, { style: 'When' }), column(4, rest, line, { style: 'ListText' })], place);
  }

  /** What is to be paid, when, and where: a name and what it is, line by line. */
  #writePairs(items: readonly PageElement[], place: BlockPlace): FileChild {
    const names = items.filter(({ name }) => name === 'dt');
    const pairs = names.map((name) => [name, items[items.indexOf(name) + 1]] as const);
    const { surface, soft } = this.#theme.colors;
    return writePairs(pairs, { ...place, fill: surface }, (cell, width) => {
      const look = cell.name === 'dt' ? { ...place.look, color: soft } : place.look;
      return this.#inCell([{ ...cell, name: 'p' }], { ...place, width, look, style: 'TableText' });
    });
  }

  /** Who writes, at the one side, and how they are reached, at the other; a line below. */
  #writeLetterHead(items: readonly PageElement[], place: BlockPlace): FileChild[] {
    const cells = items.slice(0, mostBeside).map((item, at) => {
      const align = at > 0 && at === items.length - 1 ? ('end' as const) : ('start' as const);
      const write = (width: number) => this.#inCell([item], { ...place, width, align, style: 'TableText' });
      return { share: 1, look: {}, write };
    });
    const line = { style: BorderStyle.SINGLE, size: 8, color: this.#theme.colors.ink, space: 1 };
    const rule = new Paragraph({ border: { bottom: line }, spacing: { before: 0, after: 560, line: 120 } });
    return cells.length === 0 ? [] : [writeColumns(cells, place), rule];
  }

  #lookOf(item: PageElement, areBoxes: boolean): BoxLook {
    const { colors } = this.#theme;
    if (hasClass(item, 'chosen')) return { fill: colors.tint, line: colors.accent };
    return areBoxes || hasClass(item, 'card') ? { fill: colors.surface, line: colors.line } : {};
  }

  #writeBoxes(items: readonly PageElement[], place: BlockPlace, shares: readonly number[], areBoxes: boolean): FileChild[] {
    const rows: PageElement[][] = [];
    for (let at = 0; at < items.length; at += mostBeside) rows.push(items.slice(at, at + mostBeside));
    return rows.flatMap((row) => {
      const cells = row.map((item, at) => {
        const look = this.#lookOf(item, areBoxes);
        const isBox = look.fill !== undefined || place.isBoxed === true;
        const label = areBoxes && row.some(isLabeled) && !isLabeled(item) ? [gap(110)] : [];
        const write = (width: number) => [...label, ...this.#inCell(item.children, { ...place, width }, isBox)];
        return { share: shares[at] ?? 1, look, write };
      });
      return [writeColumns(cells, place), gap(100)];
    });
  }

  #writeFacts(items: readonly PageElement[], place: BlockPlace): FileChild[] {
    const { colors } = this.#theme;
    const cells = items.slice(0, 6).map((item) => {
      const part = (name: string) => item.children.filter(isElement).find((child) => child.name === name);
      const [label, figure] = [part('dt'), part('dd')];
      const color = figure && hasClass(figure, 'up') ? colors.good : figure && hasClass(figure, 'down') ? colors.bad : undefined;
      const write = (width: number) => [
        ...this.#blocks.write([{ name: 'p', attributes: {}, children: figure?.children ?? [] }], {
          ...{ ...place, width, style: 'KeyFigure' },
          ...(color !== undefined && { look: { color } }),
        }),
        ...this.#blocks.write([{ name: 'p', attributes: {}, children: label?.children ?? [] }], {
          ...place,
          width,
          style: 'FigureLabel',
        }),
        ...(figure || label ? [] : [new Paragraph('')]),
      ];
      return { share: 1, look: { fill: colors.surface, top: colors.accent }, write };
    });
    return cells.length === 0 ? [] : [writeColumns(cells, place), gap(120)];
  }
}
