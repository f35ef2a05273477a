/** A stretch of one line in one colour; `look` is the class of the highlighter, empty for plain text. */
export interface CodePiece {
  text: string;
  look: string;
}

export type CodeLine = readonly CodePiece[];

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** A last line that is empty is only the end of the one before. */
function dropEnd<Line extends CodeLine>(lines: Line[]): Line[] {
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

/** Lines without colours. */
export function splitPlainLines(text: string): CodeLine[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => (line === '' ? [] : [{ text: line, look: '' }]));
  return dropEnd(lines);
}

/**
 * Reads the markup of the highlighter, which is nothing but spans and escaped text, into pieces: so that no markup that came from a
 * file is ever given to the page.
 */
export function readHighlighted(markup: string): CodeLine[] {
  const lines: CodePiece[][] = [[]];
  const looks: string[] = [];
  for (const [part] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part.startsWith('<span')) {
      looks.push(part.slice(13, -2));
    } else if (part === '</span>') {
      looks.pop();
    } else {
      const text = part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
      for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
        if (index > 0) lines.push([]);
        if (line !== '') lines.at(-1)?.push({ text: line, look: looks.at(-1) ?? '' });
      }
    }
  }
  return dropEnd(lines);
}
