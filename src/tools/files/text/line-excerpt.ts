import { outputLimitBytes } from '../../toolbox/output-cap.ts';

/** Space for the sentence before the lines and the one after them. */
const linesBytes = outputLimitBytes - 1536;
const maxLineLength = 2000;

export interface Excerpt {
  /** Numbered lines. */
  lines: string[];
  /** How many lines the text has. */
  total: number;
  isFull: boolean;
}

function numberLine(number: number, line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.length <= maxLineLength) return `${number}\t${text}`;
  return `${number}\t${text.slice(0, maxLineLength)}… [cut: this line has ${text.length} characters]`;
}

/** Iterates over the lines without holding them all: a file can have ten million. */
export function excerptLines(text: string, first: number, last: number): Excerpt {
  const lines: string[] = [];
  let bytes = 0;
  let isFull = false;
  let number = 0;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next < 0 ? text.length : next;
    number++;
    if (number >= first && number <= last && !isFull) {
      const line = numberLine(number, text.slice(from, end));
      bytes += Buffer.byteLength(line) + 1;
      isFull = bytes > linesBytes;
      if (!isFull) lines.push(line);
    }
    from = end + 1;
  }
  return { lines, total: number, isFull };
}
