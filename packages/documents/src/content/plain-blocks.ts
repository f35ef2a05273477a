import { type Block, joinRuns, type ListItem, type Notes, type Run } from './blocks.ts';

/**
 * Replaces notes and tables of contents, for formats that have neither: notes are numbered and stand at the end, contents are a list of the
 * headings.
 */

const flat = '0123456789+-=()ni';
const raisedSigns = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ';

const bare = { isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };

function raise(text: string): string {
  const raised = text.replaceAll(/[0-9+\-=()ni]/g, (sign) => raisedSigns.charAt(flat.indexOf(sign)));
  return /^[0-9+\-=()ni]+$/.test(text) ? raised : `^${text}`;
}

/** The numbers of notes, in the order in which they are referred to. */
export class NoteNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #notes: Notes;
  /** References without a note. */
  readonly unknown = new Set<string>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Null if there is no such note. */
  numberOf(name: string): number | null {
    if (!this.#notes.has(name)) {
      this.unknown.add(name);
      return null;
    }
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return number;
  }

  /** The notes that were referred to, by number. */
  list(): { number: number; runs: Run[] }[] {
    return [...this.#numbers].map(([name, number]) => ({ number, runs: this.#notes.get(name) ?? [] }));
  }
}

function plainRuns(runs: readonly Run[], numbers: NoteNumbers): Run[] {
  return runs.map(({ effect, ...run }) => {
    if (effect === 'raised') return { ...run, text: raise(run.text) };
    if (effect !== 'footnote') return run;
    const number = numbers.numberOf(run.text);
    return { ...run, text: number === null ? `[^${run.text}]` : `[${number}]` };
  });
}

function plainBlock(block: Block, numbers: NoteNumbers, headings: readonly Run[][]): Block {
  const within = (blocks: Block[]) => blocks.map((each) => plainBlock(each, numbers, headings));
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return { ...block, runs: plainRuns(block.runs, numbers) };
    case 'list':
      return { ...block, items: block.items.map((item): ListItem => ({ ...item, blocks: within(item.blocks) })) };
    case 'quote':
      return { ...block, blocks: within(block.blocks) };
    case 'table': {
      const row = (cells: Run[][]) => cells.map((cell) => plainRuns(cell, numbers));
      return { ...block, header: row(block.header), rows: block.rows.map(row) };
    }
    case 'contents': {
      const items = headings.map((runs): ListItem => ({ isChecked: null, blocks: [{ type: 'paragraph', runs }] }));
      return { type: 'list', isOrdered: false, start: 1, items };
    }
    default:
      return block;
  }
}

export interface PlainText {
  blocks: Block[];
  /** What could not be understood, for the writer. */
  remarks: string[];
}

/** What was not understood in a text, in words for the model that wrote it. */
function remarkOn(blocks: readonly Block[], unknown: ReadonlySet<string>): string[] {
  const text = JSON.stringify(blocks);
  const [html] = /<(?:\/?[a-z][a-z0-9]*)(?:\s[^<>]{0,80})?>/i.exec(text) ?? [];
  const names = [...unknown].slice(0, 5).map((name) => `[^${name}]`);
  return [
    ...(names.length > 0
      ? [`No note is defined for ${names.join(', ')}, which stays in the text. Define it: "[^1]: The note."`]
      : []),
    ...(html === undefined
      ? []
      : [`HTML such as ${html.replaceAll('\\"', '"')} stays in the text as it is written. For HTML use a .html file as source.`]),
  ];
}

/** A text without notes and contents, which are replaced by lists. */
export function flattenText(blocks: readonly Block[], notes: Notes): PlainText {
  const numbers = new NoteNumbers(notes);
  const headings = blocks.flatMap((block) =>
    block.type === 'heading' && block.level <= 2 ? [[{ ...bare, text: joinRuns(block.runs) }]] : [],
  );
  const plain = blocks.map((block) => plainBlock(block, numbers, headings));
  const items = numbers
    .list()
    .map(({ runs }): ListItem => ({ isChecked: null, blocks: [{ type: 'paragraph', runs: plainRuns(runs, numbers) }] }));
  const end: Block[] = items.length === 0 ? [] : [{ type: 'rule' }, { type: 'list', isOrdered: true, start: 1, items }];
  return { blocks: [...plain, ...end], remarks: remarkOn(blocks, numbers.unknown) };
}
