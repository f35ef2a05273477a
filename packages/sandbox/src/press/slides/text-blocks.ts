import { isTransparent, readColor, readOpacity } from './box-styles.ts';
import type { LaidNode, TextLine } from './layout-tree.ts';
import { boundLength, type Frame, type Paragraph, type Run } from './slide-data.ts';

const largestSize = 2_000;
const widestSpacing = 200;
const mostRuns = 500;
const longestText = 10_000;

/** A text of the page, with its lines. */
interface Leaf {
  node: LaidNode;
  line: TextLine;
}

/** One line over all the texts in it. */
interface Row {
  frame: Frame;
  /** Height of the letters of its largest text. */
  textHeight: number;
  leaves: Leaf[];
}

/** A paragraph with the place of its lines. */
export interface TextBlock {
  block: LaidNode;
  rows: Row[];
  paragraph: Paragraph;
}

function joinFrames(one: Frame, other: Frame): Frame {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}

function isSameRow(row: Row, { frame }: TextLine): boolean {
  const overlap = Math.min(row.frame.y + row.frame.height, frame.y + frame.height) - Math.max(row.frame.y, frame.y);
  return overlap > Math.min(row.frame.height, frame.height) * 0.5;
}

function listRows(texts: readonly LaidNode[]): Row[] {
  const rows: Row[] = [];
  for (const node of texts) {
    for (const line of node.lines) {
      const last = rows.at(-1);
      if (node.name === 'br') continue;
      if (last && isSameRow(last, line)) {
        if (line.frame.height > last.textHeight) last.textHeight = line.frame.height;
        last.frame = joinFrames(last.frame, line.frame);
        last.leaves.push({ node, line });
      } else rows.push({ frame: line.frame, textHeight: line.frame.height, leaves: [{ node, line }] });
    }
  }
  return rows;
}

/** The first family that is named. */
function readFamily(stack: string): string {
  return (stack.split(',')[0] ?? '').trim().replaceAll(/^["']|["']$/g, '');
}

function findAround(node: LaidNode, matches: (one: LaidNode) => boolean, end: LaidNode): LaidNode | null {
  for (let at = node.parent; at && at !== end.parent; at = at.parent) if (matches(at)) return at;
  return null;
}

function readDecoration(node: LaidNode, block: LaidNode): string {
  let decoration = '';
  for (let at: LaidNode | null = node; at && at !== block.parent; at = at.parent)
    decoration += ` ${at.style('text-decoration-line')}`;
  return decoration;
}

function readRun(node: LaidNode, text: string, block: LaidNode): Run {
  const decoration = readDecoration(node, block);
  const raised = findAround(node, ({ name }) => name === 'sup' || name === 'sub', block);
  const link = findAround(node, ({ name }) => name === 'a', block);
  const sized = raised?.parent ?? node;
  return {
    text: text.slice(0, longestText),
    font: readFamily(node.style('font-family')).slice(0, 100),
    size: boundLength(Number.parseFloat(sized.style('font-size')) || 16, largestSize),
    color: readColor(node.style('color'), readOpacity(node)),
    isBold: Number(node.style('font-weight')) > 500,
    isItalic: node.style('font-style') !== 'normal',
    isUnderlined: decoration.includes('underline'),
    isStruck: decoration.includes('line-through'),
    spacing: boundLength(Number.parseFloat(node.style('letter-spacing')), widestSpacing),
    shift: raised === null ? 0 : raised.name === 'sup' ? 1 : -1,
    link: link?.attributes.get('href')?.slice(0, 4_000) ?? null,
  };
}

function isSameLook(one: Run, other: Run): boolean {
  return JSON.stringify({ ...one, text: '' }) === JSON.stringify({ ...other, text: '' });
}

/** The texts of a block as runs, with the spaces at which its lines were broken. */
function readRuns(texts: readonly LaidNode[], block: LaidNode): Run[] {
  const runs: Run[] = [];
  const add = (node: LaidNode, text: string) => {
    if (text === '') return;
    const run = readRun(node, text, block);
    const last = runs.at(-1);
    if (last && isSameLook(last, run)) last.text += text;
    else runs.push(run);
  };
  let pending = '';
  let isStart = true;
  for (const node of texts) {
    if (node.name === 'br') {
      add(node, '\n');
      [pending, isStart] = ['', true];
      continue;
    }
    for (const line of node.lines) {
      const gap = pending + line.before;
      const keepsLines = node.style('white-space').startsWith('pre');
      const isBroken = keepsLines && gap.includes('\n');
      if (isBroken) add(node, '\n');
      else if (!isStart && /\s/.test(gap) && !/\s$/.test(runs.at(-1)?.text ?? '') && !/^\s/.test(line.text)) add(node, ' ');
      add(node, keepsLines ? line.text : line.text.replaceAll('\n', ' '));
      [pending, isStart] = ['', isBroken];
    }
    pending += node.rest;
  }
  return runs.filter(({ color, text }) => !isTransparent(color) || text === '\n');
}

const aligns: Record<string, Paragraph['align']> = {
  center: 'center',
  right: 'right',
  justify: 'justify',
  '-webkit-center': 'center',
  '-webkit-right': 'right',
};

function readAlign(block: LaidNode): Paragraph['align'] {
  const [align, isRtl] = [block.style('text-align'), block.style('direction') === 'rtl'];
  if (align === 'end') return isRtl ? 'left' : 'right';
  if (align === 'start') return isRtl ? 'right' : 'left';
  return aligns[align] ?? 'left';
}

function readLineHeight(block: LaidNode, rows: readonly Row[]): number {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && last && rows.length > 1) return (last.frame.y - first.frame.y) / (rows.length - 1);
  return Number.parseFloat(block.style('line-height')) || (first?.textHeight ?? 0);
}

/** A paragraph of the texts that stand directly in a block; null if nothing of it is seen. */
export function readTextBlock(block: LaidNode, texts: readonly LaidNode[], bullet: Paragraph['bullet']): TextBlock | null {
  const rows = listRows(texts);
  const runs = readRuns(texts, block);
  if (rows.length === 0 || runs.every(({ text }) => text.trim() === '')) return null;
  const paragraph: Paragraph = {
    runs: runs.slice(0, mostRuns),
    align: readAlign(block),
    isRightToLeft: block.style('direction') === 'rtl',
    lineHeight: Math.max(0, boundLength(readLineHeight(block, rows), 2 * largestSize)),
    spaceBefore: 0,
    bullet,
  };
  return { block, rows, paragraph };
}

/** Chinese, Japanese, and Korean text breaks after each character, and offices put a space between it and other letters. */
const square = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/;

function isMixed({ rows }: TextBlock): boolean {
  const words = rows.flatMap(({ leaves }) => leaves.map(({ line }) => line.text)).join('');
  return square.test(words) && /[\p{Script=Latin}\d]/u.test(words);
}

/** The widths between which the lines break as they do: what they need, and where the next word would still fit. */
function readWidths({ rows }: TextBlock): { least: number; most: number } {
  const least = Math.max(...rows.map(({ frame }) => frame.width));
  const most = rows.slice(0, -1).map(({ frame }, at) => {
    const next = rows[at + 1];
    const words = next?.leaves.map(({ line }) => line.text).join('') ?? '';
    const first = square.test(words.charAt(0)) ? 0 : (words.split(/\s/)[0]?.length ?? 0);
    return frame.width + ((next?.frame.width ?? 0) * (first + 1)) / Math.max(1, words.length);
  });
  return { least, most: Math.min(Infinity, ...most) };
}

/** Top and height of a block whose lines are exactly `lineHeight` apart: offices put the space between lines above each. */
function readSpan({ rows, paragraph }: TextBlock): { top: number; height: number } {
  const [first] = rows;
  const gap = paragraph.lineHeight - (first?.textHeight ?? 0);
  return { top: (first?.frame.y ?? 0) - gap, height: rows.length * paragraph.lineHeight };
}

/** The frame in which an office breaks the lines of blocks, one below the other, as the browser did; sets the spaces between them. */
export function frameBlocks(blocks: readonly TextBlock[]): Frame {
  const lines = blocks.flatMap(({ rows }) => rows.map(({ frame }) => frame));
  const whole = lines.reduce(joinFrames);
  const widths = blocks.map(readWidths);
  const least = Math.max(...widths.map((each) => each.least));
  const most = Math.min(...widths.map((each) => each.most));
  const spare = most === Infinity && blocks.some(isMixed) ? 1.15 : 1.03;
  const width = Math.max(least + 1, Math.min(least * spare + 6, (least + most) / 2));
  const slack = width - whole.width;
  const align = blocks[0]?.paragraph.align ?? 'left';
  const indent = Math.max(0, ...blocks.map(({ paragraph }) => paragraph.bullet?.indent ?? 0));
  const isRtl = blocks[0]?.paragraph.isRightToLeft === true;
  const shift = align === 'center' ? slack / 2 : align === 'right' ? slack : 0;
  let end: number | null = null;
  let top = 0;
  for (const block of blocks) {
    const span = readSpan(block);
    if (end === null) top = span.top;
    else block.paragraph.spaceBefore = Math.max(0, boundLength(span.top - end, 2 * largestSize));
    end = span.top + span.height;
  }
  return { x: whole.x - shift - (isRtl ? 0 : indent), y: top, width: width + indent, height: (end ?? top) - top };
}
