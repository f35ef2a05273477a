import { escapeMarkup } from '../clean-text.ts';
import { type Block, collectText, joinRuns } from '../content/blocks.ts';
import type { DocumentSource } from '../content/document-source.ts';
import { findPageWords, isRightToLeft } from '../content/page-words.ts';
import { contentsPlace, type Heading, PageWriter } from './page-blocks.ts';

/** A document with a title page gets contents from this many headings on. */
const leastHeadings = 5;

function writeHead({ title, subtitle, author, date, hasTitlePage }: DocumentSource): string {
  if (title === '') return '';
  const line = (name: string, text: string) => (text === '' ? '' : `<p class="${name}">${escapeMarkup(text)}</p>`);
  const byline = [author, date].filter((part) => part !== '').join(' · ');
  const name = hasTitlePage ? 'cover' : 'title-block';
  return `<header class="${name}"><h1>${escapeMarkup(title)}</h1>${line('subtitle', subtitle)}${line('byline', byline)}</header>`;
}

function writeContents(headings: readonly Heading[], title: string): string {
  const items = headings
    .filter(({ level }) => level <= 3)
    .map(({ id, level, html }) => {
      const look = level === 3 ? ' style="font-weight: 400; margin-top: 0; padding-inline-start: 1.3em"' : '';
      return `<li${look}><a href="#${id}"><span>${html}</span><span data-page-of="${id}"></span></a></li>`;
    });
  return `<nav class="toc"><h2>${title}</h2><ol>${items.join('\n')}</ol></nav>`;
}

/** Longest title that is made of words of the text, in characters. */
const longestName = 80;

function takeWords(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line.length <= longestName) return line;
  const start = line.slice(0, longestName);
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), longestName / 2)).toWellFormed()}…`;
}

/** What a document without a title is called: its first heading, its first bold line, as the subject of a letter is, or its first words. */
function nameDocument(blocks: readonly Block[]): string {
  const heading = blocks.find(({ type }) => type === 'heading');
  const isSubject = (block: Block) =>
    block.type === 'paragraph' && block.runs.length > 0 && block.runs.every((run) => run.isBold);
  const named = heading ?? blocks.find(isSubject);
  const words = takeWords(named && 'runs' in named ? joinRuns(named.runs) : '');
  return words || takeWords(collectText(blocks).trimStart().split('\n', 1)[0] ?? '') || 'Document';
}

/** A text as a string of a style sheet. */
function quoteStyle(text: string): string {
  const escaped = text.replaceAll(/[^\p{L}\p{N} .,;:!?–—-]/gu, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `);
  return `"${escaped}"`;
}

function writePageRules({ title, pageSize, hasTitlePage }: DocumentSource, isMirrored: boolean): string {
  const head = title.length > 80 ? `${title.slice(0, 79)}…` : title;
  const place = isMirrored ? '@top-right' : '@top-left';
  const look = 'font: 500 8.5pt/1 var(--text-font); color: var(--soft); vertical-align: bottom; padding-bottom: 8mm';
  const running = title === '' ? '' : `${place} { content: ${quoteStyle(head)}; ${look} }`;
  const first = hasTitlePage ? '' : `@page :first { ${place} { content: none } }`;
  return `@page { size: ${pageSize}; ${running} } @page cover { ${place} { content: none } } ${first}`;
}

/** A document as a page of the design kit, whose files are at `/.kit`. All of its text is escaped. */
export function makePage(source: DocumentSource): Uint8Array {
  const { title, language, hasTitlePage, rich, theme = 'report' } = source;
  const words = findPageWords(language);
  const isMirrored = /^(ar|he|fa|ur|ps|yi|dv|ckb)\b/i.test(language) || isRightToLeft(`${title} ${collectText(rich.blocks)}`);
  const writer = new PageWriter(source, isMirrored);
  const body = writer.writeBlocks(rich.blocks);
  const notes = writer.writeNotes(words.notes);
  const contents = writeContents(writer.headings, words.contents);
  const hasPlace = body.includes(contentsPlace);
  const isLong = hasTitlePage && writer.headings.filter(({ level }) => level <= 3).length >= leastHeadings;
  const text = hasPlace
    ? body.replace(contentsPlace, () => contents).replaceAll(contentsPlace, '')
    : `${isLong ? contents : ''}${body}`;
  const html = `<!doctype html>
<html lang="${escapeMarkup(language || 'und')}" dir="${isMirrored ? 'rtl' : 'ltr'}" data-theme="${escapeMarkup(theme)}">
<head><meta charset="utf-8"><title>${escapeMarkup(title || nameDocument(rich.blocks))}</title>
<link rel="stylesheet" href="/.kit/kit.css"><style>${writePageRules(source, isMirrored)}</style></head>
<body class="numbered" style="--figure-word: ${escapeMarkup(quoteStyle(words.figure))}; --table-word: ${escapeMarkup(quoteStyle(words.table))}">
${writeHead(source)}<main>${text}${notes}</main></body></html>
`;
  return Buffer.from(html);
}
