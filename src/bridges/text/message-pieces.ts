import type { MarkupBlock } from './markup.ts';
import type { Span } from './markup-spans.ts';

/** The text of one message: formatted for the platform, and plain in case that is rejected. */
export interface Piece {
  styled: string;
  plain: string;
}

/** The formatting rules of a platform. */
export interface MessageRenderer {
  /** Maximum characters per message, including markup. */
  limit: number;
  drawLine(spans: readonly Span[]): string;
  drawQuote(spans: readonly Span[]): string;
  drawCode(text: string): string;
}

function draw(renderer: MessageRenderer, block: MarkupBlock): string {
  if (block.kind === 'code') return renderer.drawCode(block.text);
  return block.kind === 'quote' ? renderer.drawQuote(block.spans) : renderer.drawLine(block.spans);
}

function renderPlain(block: MarkupBlock): string {
  return block.kind === 'code' ? block.text : block.spans.map(({ text }) => text).join('');
}

/** Where to split a text nearest to its middle: at a line end, a space, or between two characters. */
function findCut(text: string): number {
  const middle = Math.floor(text.length / 2);
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, middle);
    if (at > text.length / 4) return at + 1;
  }
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(middle));
  return Math.max(1, isInside ? middle - 1 : middle);
}

function halveSpans(spans: readonly Span[]): [Span[], Span[]] {
  if (spans.length > 1) {
    const middle = Math.floor(spans.length / 2);
    return [spans.slice(0, middle), spans.slice(middle)];
  }
  const [span = { text: '' }] = spans;
  const at = findCut(span.text);
  return [[{ ...span, text: span.text.slice(0, at) }], [{ ...span, text: span.text.slice(at) }]];
}

function halve(block: MarkupBlock): [MarkupBlock, MarkupBlock] {
  if (block.kind === 'code') {
    const at = findCut(block.text);
    return [
      { kind: 'code', text: block.text.slice(0, at).replace(/\n$/, '') },
      { kind: 'code', text: block.text.slice(at) },
    ];
  }
  const [one, other] = halveSpans(block.spans);
  return [
    { kind: block.kind, spans: one },
    { kind: block.kind, spans: other },
  ];
}

/** A URL longer than a message is treated as plain text. */
function dropLink(block: MarkupBlock, renderer: MessageRenderer): MarkupBlock {
  if (block.kind === 'code') return block;
  return {
    kind: block.kind,
    spans: block.spans.map(({ href, ...span }) => (href && href.length < renderer.limit / 4 ? { ...span, href } : span)),
  };
}

function fit(block: MarkupBlock, renderer: MessageRenderer): MarkupBlock[] {
  if (draw(renderer, block).length <= renderer.limit) return [block];
  const [one, other] = halve(dropLink(block, renderer));
  return [...fit(one, renderer), ...fit(other, renderer)];
}

/** Packs blocks into messages. A block longer than a message is split at the best position. */
export function cutPieces(blocks: readonly MarkupBlock[], renderer: MessageRenderer): Piece[] {
  const pieces: Piece[] = [];
  let current: Piece | null = null;
  for (const block of blocks.flatMap((each) => fit(each, renderer))) {
    const [styled, plain] = [draw(renderer, block), renderPlain(block)];
    if (current && current.styled.length + 1 + styled.length <= renderer.limit) {
      current = { styled: `${current.styled}\n${styled}`, plain: `${current.plain}\n${plain}` };
      continue;
    }
    if (current) pieces.push(current);
    current = { styled, plain };
  }
  if (current) pieces.push(current);
  const full = pieces.filter(({ plain }) => plain.trim() !== '');
  return full.map(({ styled, plain }) => ({ styled: styled.replace(/^\n+|\n+$/g, ''), plain: plain.trim() }));
}
