import type { MarkupElement } from '../markup/markup-tree.ts';

const compatibilitySpace = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/** A node that stands for text: a piece of text, a tab, a line break. */
export interface TextPiece {
  node: MarkupElement;
  /** The run that formats it; the node itself where it has none. */
  run: MarkupElement;
  text: string;
  /** Where its text begins in the paragraph, as it was read. */
  start: number;
}

/** How one kind of document writes text. */
export interface TextDialect {
  isParagraph(element: MarkupElement): boolean;
  isProperties(element: MarkupElement): boolean;
  /** The pieces of a paragraph in order, without deleted text and without paragraphs inside it. */
  listPieces(paragraph: MarkupElement): Omit<TextPiece, 'start'>[];
  /** Puts a text into the node of a piece of text. */
  setText(node: MarkupElement, text: string): void;
  /** Writes the changed text of a piece in its place. */
  writePiece(piece: TextPiece): void;
}

/** The text of a paragraph across its runs. */
export class ParagraphText {
  readonly paragraph: MarkupElement;
  readonly #dialect: TextDialect;
  readonly #changed = new Set<TextPiece>();
  #pieces: readonly TextPiece[] = [];
  #text = '';

  constructor(paragraph: MarkupElement, dialect: TextDialect) {
    this.paragraph = paragraph;
    this.#dialect = dialect;
    this.reread();
  }

  get pieces(): readonly TextPiece[] {
    return this.#pieces;
  }

  get text(): string {
    return this.#text;
  }

  /** Reads the paragraph again after its runs have changed. */
  reread(): void {
    let start = 0;
    this.#pieces = this.#dialect.listPieces(this.paragraph).map((piece) => {
      const placed = { ...piece, start };
      start += piece.text.length;
      return placed;
    });
    this.#text = this.#pieces.map((piece) => piece.text).join('');
  }

  /** The index of the first piece whose text ends after `place`. */
  indexAt(place: number): number {
    let [low, high] = [0, this.pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const next = this.pieces[middle + 1]?.start ?? this.text.length;
      if (next > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Replaces a part of the text, keeping the format of its first piece. Call it from the end of the paragraph to its beginning, so that
   * places still count as read, and `flush` at last.
   */
  change(from: number, to: number, text: string): void {
    // What is only inserted continues the text before it.
    const first = from === to && from > 0 ? this.indexAt(from - 1) : this.indexAt(from);
    for (let index = first; index < this.pieces.length; index++) {
      const piece = this.pieces[index];
      if (!piece || (index > first && piece.start >= to)) return;
      const [head, tail] = [Math.max(0, from - piece.start), Math.max(0, to - piece.start)];
      piece.text = `${piece.text.slice(0, head)}${index === first ? text : ''}${piece.text.slice(tail)}`;
      this.#changed.add(piece);
    }
  }

  /** Writes the changes into the document, and reads the paragraph anew. */
  flush(): void {
    if (this.#changed.size === 0) return;
    for (const piece of this.#changed) this.#dialect.writePiece(piece);
    this.#changed.clear();
    this.reread();
  }
}

/** Every paragraph below, in document order, also those in tables and text boxes. */
export function listParagraphs(root: MarkupElement, dialect: TextDialect): MarkupElement[] {
  return [...root.descendants((element) => dialect.isParagraph(element))];
}

/** Whether an element repeats another for older programs, as text boxes do. */
export function isFallback(element: MarkupElement): boolean {
  for (let outer = element.parent; outer; outer = outer.parent) if (outer.is(compatibilitySpace, 'Fallback')) return true;
  return false;
}
