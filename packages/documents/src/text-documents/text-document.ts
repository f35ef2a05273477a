import { textWidth } from '../fonts/text-width.ts';
import type { Block, Run, TableBlock } from '../content/blocks.ts';
import type { DocumentSource } from '../content/document-source.ts';

const lineLength = 88;

function writeRuns(runs: readonly Run[]): string {
  return runs.map(({ text, link }) => (link && !link.includes(text) ? `${text} (${link})` : text)).join('');
}

function wrap(text: string, first: string, others: string): string[] {
  return text.split('\n').flatMap((paragraph, number) => {
    const lines: string[] = [];
    let line = number === 0 ? first : others;
    let isEmpty = true;
    for (const word of paragraph.split(/\s+/)) {
      if (!isEmpty && line.length + 1 + word.length > lineLength) {
        lines.push(line);
        line = others + word;
      } else {
        line += isEmpty ? word : ` ${word}`;
        isEmpty = false;
      }
    }
    return [...lines, line.trimEnd()];
  });
}

/** Square characters take two columns of a terminal. */
function countPlaces(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (textWidth(character) >= 0.95 && character > '\u10ff' ? 2 : 1), 0);
}

function writeTable(table: TableBlock, indent: string): string[] {
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => writeRuns(cell).replaceAll('\n', ' ')));
  const widths = table.header.map((_, at) => rows.reduce((most, row) => Math.max(most, countPlaces(row[at] ?? '')), 0));
  const lines = rows.map((row) => {
    const cells = widths.map((width, at) => {
      const cell = row[at] ?? '';
      const free = ' '.repeat(Math.max(0, width - countPlaces(cell)));
      return table.alignments[at] === 'right' ? `${free}${cell}` : `${cell}${free}`;
    });
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
  const rule = indent + widths.map((width) => '-'.repeat(width)).join('  ');
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

function writeList(block: Extract<Block, { type: 'list' }>, indent: string): string[] {
  return block.items.flatMap(({ isChecked, blocks }, at) => {
    const box = isChecked === null ? '' : isChecked ? '[x] ' : '[ ] ';
    const mark = block.isOrdered ? `${block.start + at}. ` : '- ';
    const inner = indent + ' '.repeat(mark.length);
    const [first, ...rest] = blocks;
    const runs = first?.type === 'paragraph' ? writeRuns(first.runs) : '';
    const others = first?.type === 'paragraph' ? rest : blocks;
    return [...wrap(runs, `${indent}${mark}${box}`, inner), ...others.flatMap((each) => writeBlock(each, inner))];
  });
}

function writeBlock(block: Block, indent: string): string[] {
  switch (block.type) {
    case 'heading': {
      const title = writeRuns(block.runs);
      const sign = ['=', '-'][block.level - 1];
      const under = sign ? [indent + sign.repeat(Math.min(countPlaces(title), lineLength))] : [];
      return [`${indent}${title}`, ...under];
    }
    case 'paragraph':
      return wrap(writeRuns(block.runs), indent, indent);
    case 'list':
      return writeList(block, indent);
    case 'table':
      return writeTable(block, indent);
    case 'code':
      return block.text.split('\n').map((line) => `${indent}    ${line}`);
    case 'quote':
      return writeBlocks(block.blocks, '').map((line) => `${indent}> ${line}`.trimEnd());
    case 'image':
      return [`${indent}[${block.caption || block.path}]`];
    case 'rule':
      return [`${indent}${'-'.repeat(20)}`];
    case 'contents':
      // A list by now.
      return [];
    case 'pageBreak':
      return ['\f'];
  }
}

function writeBlocks(blocks: readonly Block[], indent: string): string[] {
  return blocks.flatMap((block, at) => [...(at > 0 ? [''] : []), ...writeBlock(block, indent)]);
}

/** A document as plain text, to read in a terminal or an e-mail. */
export function makeText({ title, subtitle, author, date, blocks }: DocumentSource): Uint8Array {
  const byline = [author, date].filter((part) => part !== '').join(' · ');
  const head = title === '' ? [] : [title, '='.repeat(Math.min(countPlaces(title), lineLength)), ''];
  const under = [subtitle, byline].filter((line) => line !== '').flatMap((line) => [line, '']);
  return Buffer.from(`${[...head, ...under, ...writeBlocks(blocks, '')].join('\n')}\n`);
}

/** The source itself, with its title if that was given separately. */
export function makeMarkdown({ title, subtitle, author, date, markdown }: DocumentSource): Uint8Array {
  const escape = (text: string) => text.replaceAll(/[\\`*_[\]<>]/g, '\\$&');
  const isTitled = title === '' || /^\s*#\s/.test(markdown);
  const byline = [subtitle, author, date].filter((part) => part !== '').map(escape);
  const head = isTitled ? '' : `# ${escape(title)}\n\n${byline.length > 0 ? `${byline.join(' · ')}\n\n` : ''}`;
  return Buffer.from(`${head}${markdown.trimEnd()}\n`);
}
