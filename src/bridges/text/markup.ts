import { readSpans, type Span } from './markup-spans.ts';

/** Markdown as chats can show it: styled lines, quotes, and monospaced text for code and tables. */
export type MarkupBlock = { kind: 'line' | 'quote'; spans: Span[] } | { kind: 'code'; text: string };

const fence = /^ {0,3}(`{3,}|~{3,})\s*[\w+#.-]{0,40}\s*$/;
const tableRow = /^\s*\|.*\|\s*$/;
const tableRule = /^[\s|:-]+$/;
/** Wider columns do not fit side by side on a phone. */
const widestCell = 40;

function readCells(row: string): string[] {
  const cells = row.trim().slice(1, -1).split('|');
  return cells.map((cell) => {
    const spans = readSpans(cell.trim());
    return spans.map(({ text }) => text).join('');
  });
}

/** Aligned columns. */
function drawTable(rows: readonly string[]): string {
  const cells = rows.filter((row) => !tableRule.test(row)).map(readCells);
  const widths: number[] = [];
  for (const row of cells) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  if (Math.max(...widths) > widestCell) return cells.map((row) => row.join(' | ')).join('\n');
  const draw = (row: string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return cells.map((row) => draw(row).trimEnd()).join('\n');
}

function readLine(line: string): MarkupBlock {
  const marks = /^ {0,3}#{1,6}\s+(?=\S)/.exec(line)?.[0];
  if (marks !== undefined) {
    return {
      kind: 'line',
      spans: readSpans(line.slice(marks.length)).map((span) => (span.isCode ? span : { ...span, isBold: true })),
    };
  }
  const quoted = /^ {0,3}> ?(.*)$/s.exec(line)?.[1];
  if (quoted !== undefined) return { kind: 'quote', spans: readSpans(quoted) };
  if (line.length < 200 && /^ {0,3}([-*_])( *\1){2,} *$/.test(line)) return { kind: 'line', spans: [{ text: '———' }] };
  const bullet = /^(\s*)[-*+] (\[[ xX]\] )?/.exec(line);
  if (!bullet) return { kind: 'line', spans: readSpans(line) };
  const [sign, indent = '', box] = bullet;
  const shown = box === undefined ? '•' : box === '[ ] ' ? '☐' : '☑';
  return { kind: 'line', spans: [{ text: `${indent}${shown} ` }, ...readSpans(line.slice(sign.length))] };
}

function isEnd(line: string, opening: string): boolean {
  const text = line.trim();
  return text.length >= opening.length && text === opening.charAt(0).repeat(text.length);
}

/** The consecutive lines from `from` that belong together, and where the next start. */
function takeWhile(lines: readonly string[], from: number, belongs: (line: string) => boolean): [string[], number] {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return [lines.slice(from, end), end];
}

/** Parses Markdown line by line, in linear time. Every text is valid. */
export function readMarkup(markdown: string): MarkupBlock[] {
  const lines = markdown.replaceAll('\r\n', '\n').trim().split('\n');
  const blocks: MarkupBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const opening = fence.exec(line)?.[1];
    if (opening !== undefined) {
      const [code, end] = takeWhile(lines, at + 1, (each) => !isEnd(each, opening));
      blocks.push({ kind: 'code', text: code.join('\n') });
      at = end + 1;
    } else if (tableRow.test(line) && tableRule.test(lines[at + 1] ?? '') && tableRow.test(lines[at + 1] ?? '')) {
      const [rows, end] = takeWhile(lines, at, (each) => tableRow.test(each));
      blocks.push({ kind: 'code', text: drawTable(rows) });
      at = end;
    } else {
      blocks.push(readLine(line));
      at += 1;
    }
  }
  return blocks;
}
