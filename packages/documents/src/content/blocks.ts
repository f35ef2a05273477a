/** A piece of text of one style. */
export interface Run {
  text: string;
  isBold: boolean;
  isItalic: boolean;
  isCode: boolean;
  isStruck: boolean;
  /** An address that is safe to follow. */
  link: string | null;
}

export interface ListItem {
  /** Null where the item is no box to tick. */
  isChecked: boolean | null;
  blocks: Block[];
}

export type CellAlignment = 'left' | 'center' | 'right';

export interface TableBlock {
  type: 'table';
  alignments: CellAlignment[];
  header: Run[][];
  rows: Run[][][];
}

/** What a document consists of, whatever it is written as. */
export type Block =
  | { type: 'heading'; level: number; runs: Run[] }
  | { type: 'paragraph'; runs: Run[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | TableBlock
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'image'; path: string; caption: string }
  | { type: 'rule' }
  | { type: 'pageBreak' };

export function joinRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** Every block, those inside others too. */
export function walkBlocks(blocks: readonly Block[], visit: (block: Block) => void): void {
  for (const block of blocks) {
    visit(block);
    if (block.type === 'quote') walkBlocks(block.blocks, visit);
    else if (block.type === 'list') for (const item of block.items) walkBlocks(item.blocks, visit);
  }
}

/** All text that readers see. */
export function collectText(blocks: readonly Block[]): string {
  const texts: string[] = [];
  walkBlocks(blocks, (block) => {
    if (block.type === 'heading' || block.type === 'paragraph') texts.push(joinRuns(block.runs));
    else if (block.type === 'code') texts.push(block.text);
    else if (block.type === 'image') texts.push(block.caption);
    else if (block.type === 'table') texts.push(...[block.header, ...block.rows].flat().map(joinRuns));
  });
  return texts.join('\n');
}
