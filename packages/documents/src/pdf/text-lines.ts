import type { Run } from '../content/blocks.ts';
import type { FontBook, FontRun } from './font-book.ts';
import type { Color, PageSheet } from './page-sheet.ts';

export interface TextStyle {
  size: number;
  color: Color;
  isBold?: boolean;
  isItalic?: boolean;
}

/** A piece of a line: one style, without a break opportunity. */
interface Piece {
  runs: FontRun[];
  width: number;
  source: Run;
  size: number;
  isSpace: boolean;
}

export interface Line {
  pieces: Piece[];
  width: number;
}

/** Spaces, characters of scripts written without them, and everything between. */
const pieces =
  /\n|[ \t\u3000]+|[\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\u{20000}-\u{3ffff}]|[^\s\u3000\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\u{20000}-\u{3ffff}]+|\s/gu;
const wide = /^[\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\u{20000}-\u{3ffff}]$/u;
/** Must not start a line. */
const closing = /^[、。，．：；！？）」』】〉》ー々]$/u;

function styleOf(run: Run, style: TextStyle): Parameters<FontBook['split']>[1] {
  if (run.isCode) return 'code';
  const isBold = run.isBold || style.isBold === true;
  const isItalic = run.isItalic || style.isItalic === true;
  return isBold ? (isItalic ? 'boldItalic' : 'bold') : isItalic ? 'italic' : 'regular';
}

function makePiece(book: FontBook, text: string, source: Run, style: TextStyle): Piece {
  const size = source.isCode ? style.size * 0.92 : style.size;
  const runs = book.split(text, styleOf(source, style));
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) * size, source, size, isSpace: text.trim() === '' };
}

/** Collects pieces into lines; unbreakable sequences move to the next line as a whole. */
class LineFiller {
  readonly lines: Line[] = [];
  readonly #width: number;
  #line: Line = { pieces: [], width: 0 };
  #cluster: Piece[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(piece: Piece, canBreakBefore: boolean): void {
    if (canBreakBefore) this.#flush();
    this.#cluster.push(piece);
    if (piece.isSpace) this.#flush();
  }

  endLine(): void {
    this.#flush();
    this.#pushLine();
  }

  finish(): Line[] {
    this.#flush();
    if (this.#line.pieces.length > 0) this.#pushLine();
    return this.lines;
  }

  #pushLine(): void {
    while (this.#line.pieces.at(-1)?.isSpace) this.#line.width -= this.#line.pieces.pop()?.width ?? 0;
    this.lines.push(this.#line);
    this.#line = { pieces: [], width: 0 };
  }

  #put(piece: Piece): void {
    this.#line.pieces.push(piece);
    this.#line.width += piece.width;
  }

  #flush(): void {
    const width = this.#cluster.reduce((sum, piece) => sum + (piece.isSpace ? 0 : piece.width), 0);
    if (this.#line.width + width > this.#width && this.#line.pieces.length > 0) this.#pushLine();
    for (const piece of this.#cluster) {
      if (piece.isSpace && this.#line.pieces.length === 0) continue;
      if (piece.width > this.#width) this.#putByCharacters(piece);
      else this.#put(piece);
    }
    this.#cluster = [];
  }

  /** Splits a word that is longer than a line. */
  #putByCharacters(piece: Piece): void {
    for (const { font, text } of piece.runs) {
      let part: FontRun = { font, text: '', width: 0 };
      const putPart = () => this.#put({ ...piece, runs: [part], width: part.width * piece.size });
      for (const character of text) {
        const width = font.widthOf(character.codePointAt(0) ?? 0);
        if (this.#line.width + (part.width + width) * piece.size > this.#width) {
          if (part.text !== '') putPart();
          if (this.#line.pieces.length > 0) this.#pushLine();
          part = { font, text: '', width: 0 };
        }
        part.text += character;
        part.width += width;
      }
      if (part.text !== '') putPart();
    }
  }
}

/** Breaks runs of text into lines of at most `width` points. */
export function breakLines(runs: readonly Run[], style: TextStyle, width: number, book: FontBook): Line[] {
  const filler = new LineFiller(width);
  for (const run of runs) {
    for (const [text] of run.text.matchAll(pieces)) {
      if (text === '\n') filler.endLine();
      else filler.add(makePiece(book, text, run, style), wide.test(text) && !closing.test(text));
    }
  }
  return filler.finish();
}

/** Lines of code: nothing is omitted; long lines wrap. */
export function breakCode(text: string, style: TextStyle, width: number, book: FontBook): Line[] {
  const source: Run = { text, isBold: false, isItalic: false, isCode: true, isStruck: false, link: null };
  return text.split('\n').flatMap((line) => {
    const filler = new LineFiller(width);
    // No trimming: leading spaces in code are significant.
    const piece = makePiece(book, line.replaceAll('\t', '    '), source, style);
    filler.add({ ...piece, isSpace: false }, true);
    const lines = filler.finish();
    return lines.length > 0 ? lines : [{ pieces: [], width: 0 }];
  });
}

const linkColor: Color = '#1d4ed8';
const codeColor: Color = '#9f1239';
const codeGround: Color = '#f1f5f9';

/** Draws a line with its baseline at `y`; `isPlain` draws inline code as in a code block. */
export function drawLine(sheet: PageSheet, line: Line, x: number, y: number, style: TextStyle, isPlain = false): void {
  let left = x;
  for (const { runs, width, source, size } of line.pieces) {
    const box = { x: left, y: y - size * 0.95, width, height: size * 1.25 };
    const isInlineCode = source.isCode && !isPlain;
    if (isInlineCode) sheet.fillBox({ ...box, x: left - 1, width: width + 2 }, codeGround);
    const color = source.link ? linkColor : isInlineCode ? codeColor : style.color;
    let at = left;
    for (const run of runs) {
      sheet.write(run.font, run.text, at, y, size, color);
      at += run.width * size;
    }
    if (source.isStruck) sheet.drawLine(left, y - size * 0.3, left + width, y - size * 0.3, color, 0.7);
    if (source.link) {
      sheet.drawLine(left, y + 1.8, left + width, y + 1.8, color, 0.5);
      sheet.link(box, source.link);
    }
    left += width;
  }
}
