import { type Block, joinRuns, type Run } from '../content/blocks.ts';
import { accent, body, ink, leading, type Typesetting } from './typesetting.ts';
import { setTable } from './table-typesetter.ts';
import { breakCode, breakLines, drawLine, type Line, type TextStyle } from './text-lines.ts';

const headings: readonly (TextStyle & { before: number; after: number })[] = [
  { size: 21, color: ink.strong, isBold: true, before: 26, after: 9 },
  { size: 15.5, color: ink.strong, isBold: true, before: 22, after: 7 },
  { size: 12.5, color: ink.strong, isBold: true, before: 17, after: 5 },
  { size: 11, color: ink.strong, isBold: true, before: 13, after: 4 },
  { size: 10.5, color: ink.muted, isBold: true, before: 12, after: 4 },
];

/** Sets lines one below another, avoiding widows and orphans. */
export function setLines(
  { flow, indent }: Typesetting,
  lines: readonly Line[],
  style: TextStyle,
  height = style.size * leading,
): void {
  flow.need(height * Math.min(lines.length, 2));
  for (const line of lines) {
    flow.need(height);
    drawLine(flow.sheet, line, flow.left + indent, flow.y + height / 2 + style.size * 0.35, style);
    flow.y += height;
  }
}

export function setText(setting: Typesetting, runs: readonly Run[], style: TextStyle = setting.style): void {
  const { flow, indent } = setting;
  setLines(setting, breakLines(runs, style, flow.width - indent, flow.book), style);
}

function setHeading(setting: Typesetting, level: number, runs: readonly Run[]): void {
  const { flow, outline } = setting;
  const style = headings[Math.min(level, headings.length) - 1] ?? body;
  const { before = 0, after = 0 } = headings[Math.min(level, headings.length) - 1] ?? {};
  flow.space(before);
  const lines = breakLines(runs, style, flow.width - setting.indent, flow.book);
  // A heading stays with the first lines of its section.
  flow.need(lines.length * style.size * 1.25 + after + 3 * body.size * leading);
  outline.push({ title: joinRuns(runs), level, place: flow.place });
  setLines(setting, lines, style, style.size * 1.25);
  flow.y += after;
}

function markOf(block: Extract<Block, { type: 'list' }>, at: number): string {
  const checked = block.items[at]?.isChecked ?? null;
  if (checked !== null) return checked ? '☑' : '☐';
  return block.isOrdered ? `${block.start + at}.` : '•';
}

/** Checkboxes are drawn: few fonts have them. */
function drawBox(setting: Typesetting, isChecked: boolean, x: number): void {
  const { flow } = setting;
  const [size, y] = [7.5, flow.y + 4];
  const corners: [number, number, number, number][] = [
    [x, y, x + size, y],
    [x + size, y, x + size, y + size],
    [x + size, y + size, x, y + size],
    [x, y + size, x, y],
  ];
  for (const corner of corners) flow.sheet.drawLine(...corner, ink.muted, 0.8);
  if (!isChecked) return;
  flow.sheet.drawLine(x + 1.5, y + 4, x + 3.2, y + 6, accent, 1.2);
  flow.sheet.drawLine(x + 3.2, y + 6, x + 6.5, y + 1.5, accent, 1.2);
}

function setList(setting: Typesetting, block: Extract<Block, { type: 'list' }>): void {
  const { flow, indent, style } = setting;
  const widest = block.isOrdered ? flow.book.measure(`${block.start + block.items.length}. `, 'regular') * style.size : 0;
  const step = Math.min(Math.max(16, widest + 4), 60);
  for (const [at, item] of block.items.entries()) {
    if (at > 0) flow.space(2.5);
    flow.need(style.size * leading * 1.2);
    const mark = markOf(block, at);
    const markWidth = flow.book.measure(mark, 'regular') * style.size;
    const x = flow.left + indent + (block.isOrdered ? step - markWidth - 5 : 4);
    if (item.isChecked !== null) drawBox(setting, item.isChecked, flow.left + indent + 3);
    else {
      const run: Run = { text: mark, isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };
      const [line] = breakLines([run], { ...style, color: ink.muted }, 80, flow.book);
      const color = { ...style, color: block.isOrdered ? ink.muted : accent };
      if (line) drawLine(flow.sheet, line, x, flow.y + (style.size * leading) / 2 + style.size * 0.35, color);
    }
    setBlocks({ ...setting, indent: indent + step }, item.blocks, 4);
    if (item.blocks.length === 0) flow.y += style.size * leading;
  }
}

function setCode(setting: Typesetting, text: string): void {
  const { flow, indent } = setting;
  const style: TextStyle = { size: 9.2, color: '#0f172a' };
  const height = style.size * 1.42;
  const [x, width] = [flow.left + indent, flow.width - indent];
  const lines = breakCode(text, style, width - 24, flow.book);
  flow.need(height * Math.min(lines.length, 3) + 16);
  for (let at = 0; at < lines.length; ) {
    const fitting = Math.max(1, Math.min(lines.length - at, Math.floor((flow.bottom - flow.y - 16) / height)));
    flow.sheet.fillBox({ x, y: flow.y, width, height: fitting * height + 16 }, '#f1f5f9');
    flow.sheet.fillBox({ x, y: flow.y, width: 2.5, height: fitting * height + 16 }, ink.line);
    flow.y += 8;
    for (const line of lines.slice(at, at + fitting)) {
      drawLine(flow.sheet, line, x + 14, flow.y + height / 2 + style.size * 0.33, style, true);
      flow.y += height;
    }
    flow.y += 8;
    at += fitting;
    if (at < lines.length) flow.addPage();
  }
}

function setQuote(setting: Typesetting, blocks: readonly Block[]): void {
  const { flow, indent, style } = setting;
  const [firstSheet, top] = [flow.sheets.length, flow.y];
  setBlocks({ ...setting, indent: indent + 18, style: { ...style, color: ink.muted, isItalic: true } }, blocks, 6);
  for (let number = firstSheet; number <= flow.sheets.length; number++) {
    const from = number === firstSheet ? top : 66;
    const to = number === flow.sheets.length ? flow.y : flow.bottom;
    flow.sheets[number - 1]?.fillBox({ x: flow.left + indent, y: from, width: 3, height: Math.max(to - from, 0) }, '#bfdbfe');
  }
}

function setImage(setting: Typesetting, path: string, caption: string): void {
  const { flow, indent, images, style } = setting;
  const image = images.get(path);
  if (!image) return;
  const available = flow.width - indent;
  // Screenshots and charts have about twice the pixels that print needs.
  const natural = image.width * 0.5;
  const width = Math.min(available, Math.max(natural, Math.min(image.width, available * 0.5)));
  const scale = Math.min(width / image.width, (flow.usableHeight - 60) / image.height);
  const height = image.height * scale;
  flow.need(height + (caption === '' ? 0 : 24));
  const x = flow.left + indent + (available - image.width * scale) / 2;
  flow.sheet.page.drawImage(image, { x, y: flow.height - flow.y - height, width: image.width * scale, height });
  flow.y += height;
  if (caption === '') return;
  flow.y += 5;
  const small: TextStyle = { size: 9, color: ink.muted };
  const run: Run = { text: caption, isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };
  for (const line of breakLines([run], small, available, flow.book)) {
    drawLine(flow.sheet, line, flow.left + indent + (available - line.width) / 2, flow.y + 9, small);
    flow.y += style.size * 1.3;
  }
}

function setBlock(setting: Typesetting, block: Block): void {
  const { flow, indent } = setting;
  switch (block.type) {
    case 'heading':
      return setHeading(setting, block.level, block.runs);
    case 'paragraph':
      return setText(setting, block.runs);
    case 'list':
      return setList(setting, block);
    case 'table':
      return setTable(setting, block);
    case 'code':
      return setCode(setting, block.text);
    case 'quote':
      return setQuote(setting, block.blocks);
    case 'image':
      return setImage(setting, block.path, block.caption);
    case 'contents':
      // A list by now.
      return;
    case 'rule':
      flow.y += 4;
      flow.sheet.drawLine(flow.left + indent, flow.y, flow.left + flow.width, flow.y, ink.line, 0.8);
      flow.y += 4;
      return;
    case 'pageBreak':
      if (!flow.isAtTop) flow.addPage();
  }
}

/** Sets blocks one below another with `gap` between them. */
export function setBlocks(setting: Typesetting, blocks: readonly Block[], gap = 9): void {
  for (const [at, block] of blocks.entries()) {
    if (at > 0 && block.type !== 'heading') setting.flow.space(blocks[at - 1]?.type === 'heading' ? 0 : gap);
    setBlock(setting, block);
  }
}
