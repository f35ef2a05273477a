import { Fault } from '@errand/base/fault.ts';
import { cloneNode, MarkupElement, type MarkupNode, removeNode, replaceNode } from '../markup/markup-tree.ts';
import { listParagraphs, ParagraphText, type TextDialect } from '../text/paragraph-text.ts';
import { quoteNames } from '../text/near-text.ts';
import { isolateRuns } from '../text/run-splitting.ts';
import { type Entry, listMarks, nestMarks } from './template-marks.ts';
import type { TemplateValues } from './template-values.ts';

/** Copies of sections in one document. */
const mostCopies = 20_000;
const mostNodes = 1_500_000;

/** How one kind of document repeats its parts. */
export interface TemplateDialect extends TextDialect {
  isRow(element: MarkupElement): boolean;
  /** Gives a further copy marks of its own, where each may be only once in a document. */
  separateCopy(copy: MarkupElement): void;
}

function countNodes(node: MarkupNode): number {
  return node instanceof MarkupElement ? node.children.reduce((sum, child) => sum + countNodes(child), 1) : 1;
}

function listAncestors(element: MarkupElement): MarkupElement[] {
  const ancestors: MarkupElement[] = [];
  for (let each: MarkupElement | null = element; each; each = each.parent) ancestors.push(each);
  return ancestors;
}

/** A copy of an element without its content, which the filled content is added to. */
function emptyCopy({ opening, name, scope }: MarkupElement): MarkupElement {
  return new MarkupElement(opening, name, scope, null);
}

/** A table with what only holds it. */
function frameOf(table: MarkupElement): MarkupElement {
  let frame = table;
  while (frame.parent && /^graphic(Data|Frame)?$/.test(frame.parent.local)) frame = frame.parent;
  return frame;
}

/** The blocks that a section repeats. */
interface Blocks {
  parent: MarkupElement;
  first: MarkupElement;
  last: MarkupElement;
}

/** Fills one template. */
export class TemplateFilling {
  readonly #dialect: TemplateDialect;
  #copies = 0;
  #nodes = 0;
  /** Fields that were filled, sections that were repeated. */
  readonly count = { fields: 0, sections: 0 };

  constructor(dialect: TemplateDialect) {
    this.#dialect = dialect;
  }

  /** Fills everything below an element. */
  fill(root: MarkupElement, values: TemplateValues): void {
    const paragraphs = listParagraphs(root, this.#dialect).map((each) => new ParagraphText(each, this.#dialect));
    const entries = nestMarks(paragraphs.flatMap(listMarks));
    // From the last, so that the places of those before still count.
    for (const { mark, end } of entries.toReversed()) {
      if (end) this.#fillSection({ mark, end }, values);
      else {
        const text = values.text(mark.name);
        if (text === null) continue;
        this.count.fields++;
        mark.paragraph.change(mark.from, mark.to, text);
      }
    }
    for (const paragraph of paragraphs) paragraph.flush();
  }

  #fillSection({ mark, end }: Entry & { end: NonNullable<Entry['end']> }, values: TemplateValues): void {
    const items = values.items(mark.name);
    const scopes = mark.kind === 'unless' ? (items.length === 0 ? [values] : []) : items.map((item) => values.within(item));
    this.count.sections++;
    const isSame = mark.paragraph === end.paragraph;
    const isWhole =
      isSame && mark.paragraph.text.slice(0, mark.from).trim() === '' && mark.paragraph.text.slice(end.to).trim() === '';
    if (isSame && !isWhole) {
      this.#repeatRuns(mark, end, scopes);
      return;
    }
    const blocks = this.#findBlocks(mark.paragraph.paragraph, end.paragraph.paragraph);
    // The marks go first, so that no copy has them.
    end.paragraph.change(end.from, end.to, '');
    end.paragraph.flush();
    const opening = isSame ? end.paragraph : mark.paragraph;
    opening.change(mark.from, mark.to, '');
    opening.flush();
    this.#repeatBlocks(this.#dropMarkBlocks(blocks, mark.paragraph.paragraph, end.paragraph.paragraph), scopes);
  }

  /** The row that has both marks in different cells, or the neighbors from the one mark to the other. */
  #findBlocks(first: MarkupElement, last: MarkupElement): Blocks {
    if (first === last && first.parent) return { parent: first.parent, first, last };
    const [up, down] = [listAncestors(first), listAncestors(last)];
    const shared = up.find((each) => down.includes(each));
    if (!shared) throw new Fault('invalid_argument', 'path: a section of the template begins and ends in different parts.');
    if (this.#dialect.isRow(shared) && shared.parent) return { parent: shared.parent, first: shared, last: shared };
    const [from, to] = [up[up.indexOf(shared) - 1] ?? first, down[down.indexOf(shared) - 1] ?? last];
    return { parent: shared, first: from, last: to };
  }

  /** Drops the paragraphs and rows at both ends that contain only a mark. */
  #dropMarkBlocks({ parent, first, last }: Blocks, opening: MarkupElement, closing: MarkupElement): MarkupElement[] {
    const [from, to] = [parent.children.indexOf(first), parent.children.indexOf(last)];
    const blocks = parent.children.slice(from, to + 1).filter((each) => each instanceof MarkupElement);
    if (blocks.length <= 1) return blocks;
    const isBare = (block: MarkupElement, marked: MarkupElement) => {
      if (block !== marked && !this.#dialect.isRow(block)) return false;
      const paragraphs = block === marked ? [block] : listParagraphs(block, this.#dialect);
      return paragraphs.every((each) => new ParagraphText(each, this.#dialect).text.trim() === '');
    };
    const bare = [...(isBare(first, opening) ? [first] : []), ...(isBare(last, closing) ? [last] : [])];
    const rest = blocks.filter((block) => !bare.includes(block));
    if (rest.length === 0) return blocks;
    for (const block of bare) removeNode(block);
    return rest;
  }

  #count(nodes: readonly MarkupNode[]): void {
    this.#copies++;
    for (const node of nodes) this.#nodes += countNodes(node);
    if (this.#copies > mostCopies || this.#nodes > mostNodes) {
      throw new Fault(
        'payload_too_large',
        `values: the sections would be repeated more than ${mostCopies} times, or the document would become too large.`,
      );
    }
  }

  /** One copy of the nodes for each scope, filled, in an element that is only there to hold them. */
  #makeCopies(nodes: readonly MarkupElement[], scopes: readonly TemplateValues[], within: MarkupElement): MarkupNode[] {
    return scopes.flatMap((scope, index) => {
      this.#count(nodes);
      const copies = nodes.map((node) => cloneNode(node));
      if (index > 0) for (const copy of copies) this.#dialect.separateCopy(copy);
      const holder = emptyCopy(within);
      holder.append(...copies);
      this.fill(holder, scope);
      return holder.children;
    });
  }

  #repeatBlocks(blocks: readonly MarkupElement[], scopes: readonly TemplateValues[]): void {
    const [first] = blocks;
    const parent = first?.parent;
    if (!first || !parent) return;
    const at = parent.children.indexOf(first);
    const copies = this.#makeCopies(blocks, scopes, parent);
    for (const block of blocks) removeNode(block);
    parent.insertAt(at, copies);
    this.#keepParagraph(parent, first);
  }

  /** What held paragraphs needs one still, as cells do; a table without rows is removed. */
  #keepParagraph(parent: MarkupElement, former: MarkupElement): void {
    if (parent.elements.some((each) => each.local === former.local)) return;
    if (this.#dialect.isRow(former)) removeNode(frameOf(parent));
    else if (this.#dialect.isParagraph(former) && parent.elements.at(-1)?.local !== 'sectPr') {
      const empty = cloneNode(former);
      empty.replaceChildren(empty.elements.filter(({ local }) => local === 'pPr'));
      parent.append(empty);
    }
  }

  /** Repeats a part of a line. */
  #repeatRuns(mark: Entry['mark'], end: Entry['mark'], scopes: readonly TemplateValues[]): void {
    const { paragraph: text } = mark;
    for (const { from, to } of [end, mark]) {
      text.change(from, to, '');
      text.flush();
    }
    const inside = { from: mark.from, to: mark.from + end.from - mark.to };
    const runs = inside.to === inside.from ? [] : isolateRuns(text, inside.from, inside.to, this.#dialect);
    const [first, ...rest] = runs;
    if (!first) return;
    const { paragraph } = text;
    const holder = emptyCopy(paragraph);
    const copies = scopes.map((scope) => {
      this.#count(runs);
      const line = emptyCopy(paragraph);
      line.append(...runs.map((run) => cloneNode(run)));
      holder.replaceChildren([line]);
      this.fill(holder, scope);
      return line.children;
    });
    for (const run of rest) removeNode(run);
    replaceNode(first, copies.flat());
    text.reread();
  }
}

/** What a filling did, for the report; throws a Fault if a field is without a value. */
export function reportFilling({ count }: Pick<TemplateFilling, 'count'>, values: TemplateValues): string {
  const unused = values.check();
  const left = unused.length === 0 ? '' : `; the template has no field for ${quoteNames(unused)}`;
  const absent = values.absent.size === 0 ? '' : `; no value for ${quoteNames([...values.absent])}`;
  return `filled ${count.fields} fields and ${count.sections} sections${absent}${left}`;
}
