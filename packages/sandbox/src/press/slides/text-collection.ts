import { readColor, readOpacity } from './box-styles.ts';
import type { LaidNode } from './layout-tree.ts';
import { boundLength, type Paragraph, type TextBox } from './slide-data.ts';
import { frameBlocks, readTextBlock, type TextBlock } from './text-blocks.ts';

const inlineDisplays = new Set(['inline', 'contents', 'ruby', 'ruby-text']);

function findBlock(text: LaidNode): LaidNode | null {
  let at = text.parent;
  while (at && inlineDisplays.has(at.style('display')) && at.parent) at = at.parent;
  return at;
}

function isShown(text: LaidNode): boolean {
  return text.style('visibility') === 'visible' && readOpacity(text) > 0.05;
}

function findList(node: LaidNode): LaidNode | null {
  let at: LaidNode | null = node;
  while (at && at.style('display') !== 'list-item') at = at.parent;
  return at;
}

/** Text for screen readers only is in a box of a pixel. */
function isForReadersOnly({ frame, lines, children }: LaidNode): boolean {
  return lines.length === 0 && children.length > 0 && frame.width <= 1.5 && frame.height <= 1.5;
}

/** All texts below a node, in reading order. */
function listTexts(node: LaidNode, found: LaidNode[] = []): LaidNode[] {
  for (const child of node.children) {
    if (child.lines.length > 0) found.push(child);
    else if (!child.attributes.has('data-press-whole') && !isForReadersOnly(child)) listTexts(child, found);
  }
  return found;
}

/** Divides the texts of a block where something else stands between them. */
function divideTexts(texts: readonly LaidNode[]): LaidNode[][] {
  const parts: LaidNode[][] = [];
  let bottom = 0;
  for (const text of texts) {
    const [first, last] = [text.lines[0], text.lines.at(-1)];
    if (!first || !last) continue;
    const part = parts.at(-1);
    const end = last.frame.y + last.frame.height;
    const continues = part !== undefined && first.frame.y < bottom + first.frame.height * 1.2;
    if (continues) part.push(text);
    else parts.push([text]);
    bottom = continues ? Math.max(bottom, end) : end;
  }
  return parts;
}

function readBullet(marker: LaidNode | undefined, texts: readonly LaidNode[]): Paragraph['bullet'] {
  const [mark, first] = [marker?.lines[0], texts[0]?.lines[0]];
  if (!marker || !mark || !first || mark.text.trim() === '') return null;
  const indent = Math.max(0, boundLength(first.frame.x - mark.frame.x));
  return { text: mark.text.trim().slice(0, 12), color: readColor(marker.style('color'), readOpacity(marker)), indent };
}

/** The paragraphs below a node, in reading order. */
export function readTextBlocks(node: LaidNode): TextBlock[] {
  const blocks = new Map<LaidNode, LaidNode[]>();
  const markers = new Map<LaidNode, LaidNode>();
  for (const text of listTexts(node)) {
    const block = findBlock(text);
    if (!block || !isShown(text)) continue;
    const item = text.pseudo === 'marker' ? findList(text.parent ?? text) : null;
    if (item) markers.set(item, text);
    else if (text.pseudo !== 'marker') {
      const known = blocks.get(block);
      if (known) known.push(text);
      else blocks.set(block, [text]);
    }
  }
  return [...blocks].flatMap(([block, texts]) =>
    divideTexts(texts).flatMap((part) => {
      const item = findList(block);
      const marker = item ? markers.get(item) : undefined;
      const found = readTextBlock(block, part, readBullet(marker, part));
      if (item && found) markers.delete(item);
      return found ?? [];
    }),
  );
}

/** Whether an item continues the list of the one before, so that both become one text. */
function continuesList(one: TextBlock | undefined, other: TextBlock): boolean {
  if (!one?.paragraph.bullet || !other.paragraph.bullet) return false;
  return one.block.parent === other.block.parent && Math.abs((one.rows[0]?.frame.x ?? 0) - (other.rows[0]?.frame.x ?? 0)) < 1;
}

export interface PlacedText {
  node: LaidNode;
  element: TextBox;
}

/** The texts below a node as boxes: a paragraph or a list is one. */
export function placeTexts(blocks: readonly TextBlock[], roleOf: (block: LaidNode) => TextBox['role']): PlacedText[] {
  const groups: TextBlock[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last && continuesList(last.at(-1), block)) last.push(block);
    else groups.push([block]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const frame = frameBlocks(group);
    const paragraphs = group.map(({ paragraph }) => paragraph);
    return [{ node: first.block, element: { kind: 'text' as const, frame, role: roleOf(first.block), paragraphs } }];
  });
}
