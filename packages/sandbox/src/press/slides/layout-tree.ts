import type { PageSession } from '../page-session.ts';
import type { Frame } from './slide-data.ts';

const styleNames = [
  ...['display', 'visibility', 'opacity', 'position', 'direction', 'color', 'background-color', 'background-image'],
  ...['border-left-width', 'border-top-width', 'border-right-width', 'border-bottom-width'],
  ...['border-left-color', 'border-top-color', 'border-right-color', 'border-bottom-color'],
  ...['border-left-style', 'border-top-style', 'border-right-style', 'border-bottom-style'],
  ...['border-top-left-radius', 'border-bottom-left-radius', 'border-bottom-right-radius', 'box-shadow'],
  ...['padding-left', 'padding-top', 'padding-right', 'padding-bottom', 'vertical-align', 'list-style-type'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'letter-spacing', 'line-height', 'text-align', 'white-space'],
  'text-decoration-line',
];

/** More is no deck that anybody could show. */
const mostNodes = 60_000;

export interface TextLine {
  frame: Frame;
  text: string;
  /** What the source has between the line before and this one. */
  before: string;
}

/** An element, pseudo-element, or text as the browser laid it out. */
export interface LaidNode {
  name: string;
  /** `before`, `after`, `marker`; empty for an element. */
  pseudo: string;
  attributes: ReadonlyMap<string, string>;
  frame: Frame;
  paintOrder: number;
  /** The lines of a text; empty for an element. */
  lines: TextLine[];
  /** What the source has after the last line. */
  rest: string;
  parent: LaidNode | null;
  children: LaidNode[];
  style(name: string): string;
}

interface Snapshot {
  strings: string[];
  documents: {
    nodes: {
      parentIndex: number[];
      nodeName: number[];
      attributes: number[][];
      pseudoType: { index: number[]; value: number[] };
    };
    layout: { nodeIndex: number[]; styles: number[][]; bounds: number[][]; text: number[]; paintOrders: number[] };
    textBoxes: { layoutIndex: number[]; bounds: number[][]; start: number[]; length: number[] };
  }[];
}

type Page = Snapshot['documents'][number];

function toFrame([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Frame {
  return { x, y, width, height };
}

/** The lines of each text, by its place in the layout. */
function listLines(
  { textBoxes, layout }: Page,
  read: (index: number) => string,
): Map<number, { lines: TextLine[]; rest: string }> {
  const found = new Map<number, { lines: TextLine[]; rest: string; end: number }>();
  for (const [at, owner] of textBoxes.layoutIndex.entries()) {
    const text = read(layout.text[owner] ?? -1);
    const known = found.get(owner) ?? { lines: [], rest: text, end: 0 };
    const start = textBoxes.start[at] ?? 0;
    const end = start + (textBoxes.length[at] ?? 0);
    known.lines.push({
      frame: toFrame(textBoxes.bounds[at] ?? []),
      text: text.slice(start, end),
      before: text.slice(known.end, start),
    });
    found.set(owner, { ...known, rest: text.slice(end), end });
  }
  return found;
}

function readAttributes(pairs: readonly number[], read: (index: number) => string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; at + 1 < pairs.length; at += 2) attributes.set(read(pairs[at] ?? -1), read(pairs[at + 1] ?? -1));
  return attributes;
}

/** The page as the browser laid it out, with the texts of pseudo-elements and every line as a box. */
export async function readLayout(session: PageSession): Promise<LaidNode[]> {
  const options = { computedStyles: styleNames, includePaintOrder: true };
  const { strings, documents } = (await session.send('DOMSnapshot.captureSnapshot', options)) as unknown as Snapshot;
  const [page] = documents;
  if (!page) return [];
  const { nodes, layout } = page;
  if (layout.nodeIndex.length > mostNodes) throw new Error(`the page has more than ${mostNodes} elements`);
  const read = (index: number) => (index < 0 ? '' : (strings[index] ?? ''));
  const lines = listLines(page, read);
  const pseudos = new Map(nodes.pseudoType.index.map((node, at) => [node, read(nodes.pseudoType.value[at] ?? -1)]));
  const byNode = new Map<number, LaidNode>();
  const findParent = (node: number): LaidNode | null => {
    for (let at = node; at >= 0; at = nodes.parentIndex[at] ?? -1) {
      const parent = byNode.get(at);
      if (parent) return parent;
    }
    return null;
  };
  return layout.nodeIndex.map((node, at) => {
    const values = layout.styles[at] ?? [];
    const own = byNode.get(node);
    const parent = own ?? findParent(nodes.parentIndex[node] ?? -1);
    const laid: LaidNode = {
      name: read(nodes.nodeName[node] ?? -1).toLowerCase(),
      pseudo: pseudos.get(node) ?? '',
      attributes: readAttributes(nodes.attributes[node] ?? [], read),
      frame: toFrame(layout.bounds[at] ?? []),
      paintOrder: layout.paintOrders[at] ?? 0,
      lines: lines.get(at)?.lines ?? [],
      rest: lines.get(at)?.rest ?? '',
      parent,
      children: [],
      style: (name) => read(values[styleNames.indexOf(name)] ?? -1),
    };
    parent?.children.push(laid);
    if (!own) byNode.set(node, laid);
    return laid;
  });
}

export function hasClass({ attributes }: LaidNode, name: string): boolean {
  return (attributes.get('class') ?? '').split(/\s+/).includes(name);
}
