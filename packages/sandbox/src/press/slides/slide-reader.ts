import { readBoxes, readFill } from './box-styles.ts';
import { hasClass, type LaidNode } from './layout-tree.ts';
import { boundLength, type Frame, type PictureBox, type Slide, type SlideElement, type TextBox } from './slide-data.ts';
import { readTable } from './table-reader.ts';
import { placeTexts, readTextBlocks } from './text-collection.ts';

/** More elements than anybody puts on a slide. */
const mostElements = 2_000;

export interface TakenPicture {
  path: string;
  description: string;
  source: string;
  chart: string;
}

export interface SlideParts {
  slide: LaidNode;
  /** Notes for the speaker. */
  notes: string;
  /** Pictures by the number in `data-press-shot`. */
  pictures: ReadonlyMap<string, TakenPicture>;
}

interface Placed {
  node: LaidNode;
  element: SlideElement;
}

function readKind(slide: LaidNode): Slide['kind'] {
  if (hasClass(slide, 'cover')) return 'title';
  if (hasClass(slide, 'section') || hasClass(slide, 'closing')) return 'section';
  return hasClass(slide, 'picture') ? 'picture' : 'content';
}

function isGone(node: LaidNode): boolean {
  return Number(node.style('opacity') || 1) < 0.05;
}

/** The part of a frame within the slide; null for what lies outside. */
function clipFrame(frame: Frame, { width, height }: Frame): Frame | null {
  const [x, y] = [Math.max(0, frame.x), Math.max(0, frame.y)];
  const clipped = {
    x,
    y,
    width: Math.min(width, frame.x + frame.width) - x,
    height: Math.min(height, frame.y + frame.height) - y,
  };
  return clipped.width > 1 && clipped.height > 1 ? clipped : null;
}

/** Everything of one slide, in the order in which it is painted. */
class SlideReading {
  readonly placed: Placed[] = [];
  readonly tables: LaidNode[] = [];
  readonly #parts: SlideParts;
  constructor(parts: SlideParts) {
    this.#parts = parts;
  }

  toSlide = ({ x, y, width, height }: Frame): Frame => {
    const { frame } = this.#parts.slide;
    const own = { x: boundLength(x - frame.x), y: boundLength(y - frame.y) };
    return { ...own, width: Math.max(0, boundLength(width)), height: Math.max(0, boundLength(height)) };
  };

  #picture(node: LaidNode, number: string): void {
    const taken = this.#parts.pictures.get(number);
    const frame = clipFrame(this.toSlide(node.frame), this.#parts.slide.frame);
    if (taken && frame) this.placed.push({ node, element: { kind: 'picture', frame, ...taken } satisfies PictureBox });
  }

  #boxes(node: LaidNode): void {
    if (node.style('visibility') !== 'visible' || /^table-|^table$/.test(node.style('display'))) return;
    const frame = this.toSlide(node.frame);
    // What is not displayed has no size.
    if (frame.width === 0 || frame.height === 0) return;
    for (const element of readBoxes(node, frame)) this.placed.push({ node, element });
  }

  visit(node: LaidNode): void {
    for (const child of node.children) {
      if (child.lines.length > 0 || isGone(child)) continue;
      const shot = child.attributes.get('data-press-shot');
      if (shot !== undefined && child.pseudo === '') this.#picture(child, shot);
      const isWhole = child.attributes.get('data-press-whole') !== undefined;
      if (isWhole && child.pseudo === '') continue;
      const table = child.style('display') === 'table' ? readTable(child, this.toSlide) : null;
      if (table) {
        this.tables.push(child);
        this.placed.push({ node: child, element: table });
      } else if (shot === undefined) this.#boxes(child);
      this.visit(child);
    }
  }
}

function roleReader(slide: LaidNode): (block: LaidNode) => TextBox['role'] {
  let isTitled = false;
  return (block) => {
    if (!isTitled && (block.name === 'h1' || block.name === 'h2')) {
      isTitled = true;
      return 'title';
    }
    if (block.pseudo === 'after' && block.parent === slide) return 'number';
    return hasClass(block, 'subtitle') ? 'subtitle' : null;
  };
}

/** Whether a text is part of a table that was read; its caption is not. */
function isInTable(block: LaidNode, tables: readonly LaidNode[]): boolean {
  let isInCell = false;
  for (let at: LaidNode | null = block; at; at = at.parent) {
    if (at.style('display') === 'table-cell') isInCell = true;
    if (tables.includes(at)) return isInCell;
  }
  return false;
}

/** One slide as elements. */
export function readSlide(parts: SlideParts): Slide {
  const { slide, notes, pictures } = parts;
  const reading = new SlideReading(parts);
  reading.visit(slide);
  const blocks = readTextBlocks(slide).filter(({ block }) => !isInTable(block, reading.tables));
  for (const { node, element } of placeTexts(blocks, roleReader(slide))) {
    reading.placed.push({ node, element: { ...element, frame: reading.toSlide(element.frame) } });
  }
  const elements = reading.placed
    .toSorted((one, other) => one.node.paintOrder - other.node.paintOrder)
    .map(({ element }) => element);
  const shot = slide.attributes.get('data-press-shot');
  return {
    kind: readKind(slide),
    ground: readFill(slide),
    groundPicture: (shot === undefined ? undefined : pictures.get(shot)?.path) ?? null,
    elements: elements.slice(0, mostElements),
    notes,
  };
}
