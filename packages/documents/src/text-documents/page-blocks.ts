import { extname } from 'node:path';
import { escapeMarkup } from '../clean-text.ts';
import { type Block, joinRuns, type ListItem, type Run, type TableBlock } from '../content/blocks.ts';
import type { DocumentSource } from '../content/document-source.ts';
import { NoteNumbers } from '../content/plain-blocks.ts';

/** What browsers show; other pictures are put into the page as PNG. */
const shownEndings = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg'];

const callouts: Record<string, string> = { NOTE: '', TIP: ' good', IMPORTANT: '', WARNING: ' warn', CAUTION: ' bad' };

/** A number with its sign, which would stand on its other side between words that run from right to left. */
const signed = /(?<![\p{L}\d.,])[+\-−]?(?:\p{Sc}\d[\d.,]{0,30}(?<=\d)|\d(?:[\d.,]{0,30}\d)?[%‰\p{Sc}])/gu;

export interface Heading {
  id: string;
  level: number;
  html: string;
}

/** Blocks as HTML of the design kit. */
export class PageWriter {
  readonly #source: DocumentSource;
  readonly #isMirrored: boolean;
  readonly #numbers: NoteNumbers;
  readonly #backTo = new Set<number>();
  readonly #topLevel: number;
  readonly headings: Heading[] = [];

  /** @param isMirrored whether the page runs from right to left */
  constructor(source: DocumentSource, isMirrored: boolean) {
    this.#source = source;
    this.#isMirrored = isMirrored;
    this.#numbers = new NoteNumbers(source.rich.notes);
    const levels = source.rich.blocks.flatMap((block) => (block.type === 'heading' ? [block.level] : []));
    this.#topLevel = Math.min(6, ...levels);
  }

  #writeNote(name: string): string {
    const number = this.#numbers.numberOf(name);
    if (number === null) return escapeMarkup(`[^${name}]`);
    const id = this.#backTo.has(number) ? '' : ` id="note-from-${number}"`;
    this.#backTo.add(number);
    return `<sup><a${id} href="#note-${number}">${number}</a></sup>`;
  }

  #writeText(text: string): string {
    const html = escapeMarkup(text);
    return this.#isMirrored ? html.replaceAll(signed, '<bdi dir="ltr">$&</bdi>') : html;
  }

  #writeRun(run: Run): string {
    if (run.text === '\n') return '<br>';
    let html = run.effect === 'footnote' ? this.#writeNote(run.text) : this.#writeText(run.text);
    if (run.isCode) html = `<code>${html}</code>`;
    if (run.isStruck) html = `<s>${html}</s>`;
    if (run.isItalic) html = `<em>${html}</em>`;
    if (run.isBold) html = `<strong>${html}</strong>`;
    if (run.effect === 'marked') html = `<mark>${html}</mark>`;
    if (run.effect === 'raised') html = `<sup>${html}</sup>`;
    return run.link ? `<a href="${escapeMarkup(run.link)}">${html}</a>` : html;
  }

  writeRuns(runs: readonly Run[]): string {
    return runs.map((run) => this.#writeRun(run)).join('');
  }

  #writeHeading({ level, runs }: Extract<Block, { type: 'heading' }>): string {
    const own = Math.min(6, level - this.#topLevel + 2);
    const id = `section-${this.headings.length + 1}`;
    const html = this.writeRuns(runs);
    this.headings.push({ id, level: own, html: escapeMarkup(joinRuns(runs.filter(({ effect }) => effect !== 'footnote'))) });
    return `<h${own} id="${id}">${html}</h${own}>`;
  }

  #writeItem({ isChecked, blocks }: ListItem): string {
    const box =
      isChecked === null
        ? ''
        : `<input type="checkbox" disabled${isChecked ? ' checked' : ''} aria-label="${isChecked ? 'done' : 'open'}"> `;
    const [first, ...rest] = blocks;
    const text = first?.type === 'paragraph' ? this.writeRuns(first.runs) : '';
    return `<li>${box}${text}${this.writeBlocks(first?.type === 'paragraph' ? rest : blocks)}</li>`;
  }

  #writeTable(table: TableBlock, caption: string): string {
    const isNumber = table.header.map((_, at) => {
      const cells = table.rows
        .map((row) => joinRuns(row[at] ?? []).trim())
        .filter((cell) => cell !== '' && !/^[–—-]$/.test(cell));
      return (
        cells.length > 0 &&
        cells.every((cell) =>
          /^[+\-−±~<>≈]?\s?[\p{Sc}]?\s?[+\-−]?\d[\d.,'’\s\u00a0\u202f]*\s?(%|‰|[\p{Sc}]|[a-zµ°]{1,3})?$/iu.test(cell),
        )
      );
    });
    const cell = (tag: 'th' | 'td', runs: Run[], at: number) => {
      const alignment = table.alignments[at] ?? 'left';
      const place =
        alignment === 'right' || (alignment === 'left' && isNumber[at] === true)
          ? ' class="num"'
          : alignment === 'center'
            ? ' align="center"'
            : '';
      return `<${tag}${place}>${this.writeRuns(runs)}</${tag}>`;
    };
    const head = table.header.map((runs, at) => cell('th', runs, at)).join('');
    const rows = table.rows.map((row) => `<tr>${row.map((runs, at) => cell('td', runs, at)).join('')}</tr>`);
    const title = caption === '' ? '' : `<caption>${caption}</caption>`;
    return `<table>${title}<thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  }

  #writeImage({ path, caption }: Extract<Block, { type: 'image' }>): string {
    const picture = this.#source.images.get(path);
    const address = path.split('/').map(encodeURIComponent).join('/');
    const isShown = shownEndings.includes(extname(path).toLowerCase());
    const data =
      picture &&
      `data:image/${picture.format === 'png' ? 'png' : 'jpeg'};base64,${Buffer.from(picture.bytes).toString('base64')}`;
    const image = `<img src="${escapeMarkup(isShown || !data ? `/${address}` : data)}" alt="${escapeMarkup(caption)}">`;
    const words = caption === '' ? '' : `<figcaption>${escapeMarkup(caption)}</figcaption>`;
    return `<figure>${image}${words}</figure>`;
  }

  #writeQuote(blocks: Block[]): string {
    const [first, ...rest] = blocks;
    const [run, ...others] = first?.type === 'paragraph' ? first.runs : [];
    const [sign, kind = ''] = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/.exec(run?.text ?? '') ?? [];
    if (!run || sign === undefined) return `<blockquote>${this.writeBlocks(blocks)}</blockquote>`;
    const runs = [{ ...run, text: run.text.slice(sign.length) }, ...others];
    const inner = joinRuns(runs).trim() === '' ? rest : [{ type: 'paragraph' as const, runs }, ...rest];
    return `<div class="callout${callouts[kind] ?? ''}">${this.writeBlocks(inner)}</div>`;
  }

  #writeBlock(block: Block, caption: string): string {
    switch (block.type) {
      case 'heading':
        return this.#writeHeading(block);
      case 'paragraph':
        return `<p dir="auto">${this.writeRuns(block.runs)}</p>`;
      case 'list': {
        const items = block.items.map((item) => this.#writeItem(item)).join('\n');
        return block.isOrdered ? `<ol start="${block.start}">${items}</ol>` : `<ul>${items}</ul>`;
      }
      case 'table':
        return this.#writeTable(block, caption);
      case 'code':
        return `<pre dir="ltr"><code>${escapeMarkup(block.text)}</code></pre>`;
      case 'quote':
        return this.#writeQuote(block.blocks);
      case 'image':
        return this.#writeImage(block);
      case 'rule':
        return '<hr>';
      case 'contents':
        return contentsPlace;
      case 'pageBreak':
        return '<div style="break-before: page"></div>';
    }
  }

  /** A paragraph "Table: words" before or after a table is its caption. */
  writeBlocks(blocks: readonly Block[]): string {
    const captionOf = (block: Block | undefined) => {
      const [sign] = block?.type === 'paragraph' ? (/^(?:Table)?: /.exec(block.runs[0]?.text ?? '') ?? []) : [];
      if (sign === undefined || block?.type !== 'paragraph') return null;
      return block.runs.map((run, at) => (at === 0 ? { ...run, text: run.text.slice(sign.length) } : run));
    };
    const used = new Set<Block>();
    const captions = new Map<Block, string>();
    blocks.forEach((block, at) => {
      const near = block.type === 'table' ? [blocks[at - 1], blocks[at + 1]] : [];
      const found = near.find((each) => each && !used.has(each) && captionOf(each) !== null);
      if (!found) return;
      used.add(found);
      captions.set(block, this.writeRuns(captionOf(found) ?? []));
    });
    return blocks
      .filter((block) => !used.has(block))
      .map((block) => this.#writeBlock(block, captions.get(block) ?? ''))
      .join('\n');
  }

  /** The notes that the text refers to, after it was written. */
  writeNotes(title: string): string {
    const notes = this.#numbers.list();
    if (notes.length === 0) return '';
    const items = notes.map(
      ({ number, runs }) =>
        `<li id="note-${number}">${this.writeRuns(runs)} <a href="#note-from-${number}" aria-label="${number}">↩</a></li>`,
    );
    return `<section class="footnotes"><h2>${title}</h2><ol>${items.join('\n')}</ol></section>`;
  }
}

/** Where the contents go, which are known only after the text. */
export const contentsPlace = '<!--contents-->';
