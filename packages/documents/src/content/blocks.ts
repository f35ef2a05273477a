/** A piece of text of one style. */
export interface Run {
  text: string;
  isBold: boolean;
  isItalic: boolean;
  isCode: boolean;
  isStruck: boolean;
  /** A URL that is safe to follow. */
  link: string | null;
  /** `footnote`: the text is the name of a note; `raised`: a superscript; `marked`: as with a pen. */
  effect?: 'footnote' | 'raised' | 'marked';
}

export interface ListItem {
  /** Null if the item has no checkbox. */
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

/** The content of a document, independent of its source format. */
export type Block =
  | { type: 'heading'; level: number; runs: Run[] }
  | { type: 'paragraph'; runs: Run[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | TableBlock
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'image'; path: string; caption: string }
  | { type: 'rule' }
  | { type: 'contents' }
  | { type: 'pageBreak' };

export function joinRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** The notes of a document by their names, in the order of their definitions. */
export type Notes = ReadonlyMap<string, Run[]>;

/** Every block, including nested ones. */
export function walkBlocks(blocks: readonly Block[], visit: (block: Block) => void): void {
  for (const block of blocks) {
    visit(block);
    if (block.type === 'quote') walkBlocks(block.blocks, visit);
    else if (block.type === 'list') for (const item of block.items) walkBlocks(item.blocks, visit);
  }
}

/** All visible text. */
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
