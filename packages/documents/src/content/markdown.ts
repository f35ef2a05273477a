import { Lexer, type Token, type Tokens } from 'marked';
import { invalidField } from '@errand/base/fault.ts';
import { cleanText, safeLink } from '../clean-text.ts';
import { type Block, joinRuns, type ListItem, type Notes, type Run, type TableBlock } from './blocks.ts';
import { type FootnoteToken, grammar } from './markdown-grammar.ts';

/** Deeper nesting is not real writing, and every renderer would have to recurse as deep. */
const deepest = 12;
const mostBlocks = 50_000;

const plain: Run = { text: '', isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };

const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…' },
  ...{ mdash: '—', ndash: '–', laquo: '«', raquo: '»', euro: '€', deg: '°', times: '×', middot: '·', bull: '•', rarr: '→' },
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code < 0x110000 ? cleanText(String.fromCodePoint(code)) : whole;
  });
}

/** Texts and images of a paragraph, in order. */
type Inline = Run | { image: string; caption: string };

function isImage(inline: Inline): inline is { image: string; caption: string } {
  return 'image' in inline;
}

function isKind(token: Token, kind: string): boolean {
  return token.type === kind;
}

function listInlines(tokens: readonly Token[], style: Run, depth: number): Inline[] {
  if (depth > deepest) throw invalidField('markdown', `is nested more than ${deepest} deep. Make it flatter.`);
  const within = (token: Token, change: Partial<Run>) =>
    listInlines(('tokens' in token ? token.tokens : undefined) ?? [], { ...style, ...change }, depth + 1);
  return tokens.flatMap((token): Inline[] => {
    if (isKind(token, 'strong')) return within(token, { isBold: true });
    if (isKind(token, 'em')) return within(token, { isItalic: true });
    if (isKind(token, 'del')) return within(token, { isStruck: true });
    if (isKind(token, 'link')) return within(token, { link: safeLink((token as Tokens.Link).href) ?? style.link });
    if (isKind(token, 'image'))
      return [{ image: decodeURIComponentSafely((token as Tokens.Image).href), caption: (token as Tokens.Image).text }];
    if (isKind(token, 'raised')) return within(token, { effect: 'raised' });
    if (isKind(token, 'marked')) return within(token, { effect: 'marked' });
    if (isKind(token, 'footnoteReference'))
      return [{ ...style, effect: 'footnote', text: 'text' in token ? String(token.text) : '' }];
    if (isKind(token, 'br')) return [{ ...style, text: '\n' }];
    if (isKind(token, 'codespan')) return [{ ...style, isCode: true, text: (token as Tokens.Codespan).text }];
    if (isKind(token, 'html')) return readInlineHtml(token.raw, style);
    if (isKind(token, 'checkbox')) return [];
    if ('tokens' in token && token.tokens) return within(token, {});
    return [{ ...style, text: decodeEntities('text' in token ? String(token.text) : token.raw) }];
  });
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads inline HTML in Markdown: line breaks become breaks, comments disappear, and everything else stays literal text. */
function readInlineHtml(raw: string, style: Run): Inline[] {
  if (/^<br\s*\/?>$/i.test(raw)) return [{ ...style, text: '\n' }];
  if (raw.startsWith('<!--')) return [];
  return [{ ...style, text: raw }];
}

/** Line ends inside a source paragraph are spaces; hard breaks have their own run. */
function unfold(run: Run): Run {
  return run.text === '\n' || run.isCode ? run : { ...run, text: run.text.replaceAll(/\s*\n\s*/g, ' ') };
}

function listRuns(tokens: readonly Token[] | undefined, depth: number): Run[] {
  return listInlines(tokens ?? [], plain, depth).flatMap((inline) =>
    isImage(inline) ? [{ ...plain, isItalic: true, text: inline.caption }] : [unfold(inline)],
  );
}

/** A paragraph, with its images as separate blocks between its parts. */
function splitParagraph(tokens: readonly Token[], depth: number): Block[] {
  const blocks: Block[] = [];
  let runs: Run[] = [];
  const flush = () => {
    if (joinRuns(runs).trim() !== '') blocks.push({ type: 'paragraph', runs });
    runs = [];
  };
  for (const inline of listInlines(tokens, plain, depth)) {
    if (isImage(inline)) {
      flush();
      blocks.push({ type: 'image', path: inline.image, caption: inline.caption });
    } else runs.push(unfold(inline));
  }
  flush();
  return blocks;
}

function readTable(token: Tokens.Table, depth: number): TableBlock {
  const read = (cell: Tokens.TableCell) => listRuns(cell.tokens, depth);
  return {
    type: 'table',
    alignments: token.align.map((alignment) => alignment ?? 'left'),
    header: token.header.map(read),
    rows: token.rows.map((row) => row.map(read)),
  };
}

function readItem(item: Tokens.ListItem, depth: number): ListItem {
  return { isChecked: item.task ? item.checked === true : null, blocks: listBlocks(item.tokens, depth + 1) };
}

function readHtmlBlock(raw: string): Block[] {
  if (/^\s*<!--\s*page ?break\s*-->\s*$/i.test(raw)) return [{ type: 'pageBreak' }];
  const text = raw.replaceAll(/<!--[\s\S]*?-->/g, '').trim();
  return text === '' ? [] : [{ type: 'paragraph', runs: [{ ...plain, text }] }];
}

function readBlock(token: Token, depth: number): Block[] {
  switch (token.type) {
    case 'heading':
      return [{ type: 'heading', level: (token as Tokens.Heading).depth, runs: listRuns(token.tokens, depth) }];
    case 'paragraph':
    case 'text':
      if (/^\s*(\[TOC\]|\[\[TOC\]\]|\{:toc\})\s*$/i.test(token.raw)) return [{ type: 'contents' }];
      return splitParagraph(('tokens' in token ? token.tokens : undefined) ?? [token], depth);
    case 'list': {
      const list = token as Tokens.List;
      const start = typeof list.start === 'number' ? list.start : 1;
      return [{ type: 'list', isOrdered: list.ordered, start, items: list.items.map((item) => readItem(item, depth)) }];
    }
    case 'table':
      return [readTable(token as Tokens.Table, depth)];
    case 'code':
      return [{ type: 'code', text: (token as Tokens.Code).text }];
    case 'blockquote':
      return [{ type: 'quote', blocks: listBlocks(token.tokens ?? [], depth + 1) }];
    case 'hr':
      return [{ type: 'rule' }];
    case 'html':
      return readHtmlBlock(token.raw);
    default:
      return [];
  }
}

function listBlocks(tokens: readonly Token[], depth: number): Block[] {
  if (depth > deepest) throw invalidField('markdown', `is nested more than ${deepest} deep. Make it flatter.`);
  return tokens.flatMap((token) => readBlock(token, depth));
}

/** Checks the nesting of quotes first: the parser would recurse before it could be counted. */
const steepQuotes = new RegExp(`^(?:[ \\t]{0,3}>){${deepest + 1}}`, 'm');

/** A text that was read: its parts, and its footnotes by name. */
export interface ReadText {
  blocks: Block[];
  notes: Notes;
}

/** Parses Markdown (with tables, task lists, strikethrough, footnotes). Raw HTML stays text. Throws a Fault for unsupported content. */
export function readMarkdown(source: string): ReadText {
  if (steepQuotes.test(source)) throw invalidField('markdown', `is nested more than ${deepest} deep. Make it flatter.`);
  const tokens = grammar.lexer(cleanText(source));
  const blocks = listBlocks(tokens, 0);
  if (blocks.length > mostBlocks)
    throw invalidField('markdown', `has more than ${mostBlocks} parts. Make several documents of it.`);
  const found = tokens.filter((token): token is FootnoteToken => token.type === 'footnote');
  return { blocks, notes: new Map(found.map((token) => [token.name, listRuns(token.tokens, 0)])) };
}

/** Parses one line of Markdown: bold, italic, code and links, no blocks. */
export function readInline(source: string): Run[] {
  return listRuns(Lexer.lexInline(cleanText(source), { gfm: true }), 0);
}
