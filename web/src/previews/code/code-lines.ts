import { readHighlightedParts } from '../../markdown/highlighted-parts.ts';

/** Part of a line in one color; `look` is the highlighter's class, empty for plain text. */
export interface CodePiece {
  text: string;
  look: string;
}

export type CodeLine = readonly CodePiece[];

/** An empty last line only ends the previous one. */
function dropEnd<Line extends CodeLine>(lines: Line[]): Line[] {
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

/** Lines without highlighting. */
export function splitPlainLines(text: string): CodeLine[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => (line === '' ? [] : [{ text: line, look: '' }]));
  return dropEnd(lines);
}

/** Parses the highlighter's markup into lines of pieces. */
export function readHighlighted(markup: string): CodeLine[] {
  const lines: CodePiece[][] = [[]];
  for (const { kind, text } of readHighlightedParts(markup)) {
    for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) lines.push([]);
      if (line !== '') lines.at(-1)?.push({ text: line, look: kind });
    }
  }
  return dropEnd(lines);
}
