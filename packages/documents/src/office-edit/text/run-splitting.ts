import { cloneNode, MarkupElement, type MarkupNode, replaceNode } from '../markup/markup-tree.ts';
import type { ParagraphText, TextDialect, TextPiece } from './paragraph-text.ts';

interface Segment {
  isInside: boolean;
  nodes: MarkupNode[];
}

function addTo(segments: Segment[], isInside: boolean, node: MarkupNode): void {
  const last = segments.at(-1);
  if (last?.isInside === isInside) last.nodes.push(node);
  else segments.push({ isInside, nodes: [node] });
}

/** A copy of the piece's node with a part of its text. */
function cutPiece({ node }: TextPiece, text: string, dialect: TextDialect): MarkupElement {
  const copy = cloneNode(node);
  dialect.setText(copy, text);
  return copy;
}

/** The nodes of a run by whether their text is inside of the part from `from` to `to`. */
function segmentRun(run: MarkupElement, pieces: readonly TextPiece[], from: number, to: number, dialect: TextDialect): Segment[] {
  const byNode = new Map<MarkupNode, TextPiece>(pieces.map((piece) => [piece.node, piece]));
  const segments: Segment[] = [];
  for (const child of run.children) {
    if (child instanceof MarkupElement && dialect.isProperties(child)) continue;
    const piece = byNode.get(child);
    if (!piece) {
      addTo(segments, false, child);
      continue;
    }
    const { text, start } = piece;
    const cuts = [
      0,
      Math.min(Math.max(from - start, 0), text.length),
      Math.min(Math.max(to - start, 0), text.length),
      text.length,
    ];
    for (const [part, isInside] of [false, true, false].entries()) {
      const [begin = 0, end = 0] = cuts.slice(part);
      if (end <= begin) continue;
      addTo(segments, isInside, end - begin === text.length ? child : cutPiece(piece, text.slice(begin, end), dialect));
    }
  }
  return segments;
}

/** A run with the format of another. */
export function cloneRun(run: MarkupElement, nodes: readonly MarkupNode[], dialect: TextDialect): MarkupElement {
  const copy = new MarkupElement(run.opening, run.name, run.scope, `</${run.name}>`);
  const properties = run.elements.filter((element) => dialect.isProperties(element)).map((element) => cloneNode(element));
  copy.append(...properties, ...nodes);
  return copy;
}

/** The pieces of all runs that have some of the part, by run. */
function groupPieces(pieces: readonly TextPiece[], first: number, to: number): Map<MarkupElement, TextPiece[]> {
  const byRun = new Map<MarkupElement, TextPiece[]>();
  let index = first;
  while (index > 0 && pieces[index - 1]?.run === pieces[index]?.run) index--;
  for (let piece = pieces[index]; piece; piece = pieces[++index]) {
    const known = byRun.get(piece.run);
    if (!known && piece.start >= to) break;
    if (known) known.push(piece);
    else byRun.set(piece.run, [piece]);
  }
  return byRun;
}

/**
 * Splits runs so that a part of the text has runs of its own, and returns these. What is in those runs and is no text stays outside. The
 * pieces of the paragraph are to be read anew afterwards.
 */
export function isolateRuns(paragraph: ParagraphText, from: number, to: number, dialect: TextDialect): MarkupElement[] {
  const isolated: MarkupElement[] = [];
  const byRun = groupPieces(paragraph.pieces, paragraph.indexAt(from), to);
  for (const [run, pieces] of byRun) {
    if (pieces[0]?.node === run) {
      isolated.push(run);
      continue;
    }
    const segments = segmentRun(run, pieces, from, to, dialect);
    if (segments.length === 1) {
      if (segments[0]?.isInside) isolated.push(run);
      continue;
    }
    const runs = segments.map(({ nodes }) => cloneRun(run, nodes, dialect));
    replaceNode(run, runs);
    isolated.push(...runs.filter((_, index) => segments[index]?.isInside));
  }
  return isolated;
}
