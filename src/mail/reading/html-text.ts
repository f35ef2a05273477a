import { Parser } from 'htmlparser2';
import { findHiddenNames, isHiddenStyle } from './hidden-style.ts';

/** A longer page is read up to here. */
const maxHtmlLength = 1_000_000;
const longestUrl = 500;

/** Elements whose content nobody sees as text. */
const unseen = new Set(['head', 'style', 'script', 'title', 'template', 'svg', 'math', 'object', 'iframe', 'select', 'textarea']);
const paragraphs = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre', 'table', 'hr']);
const lines = new Set(['div', 'tr', 'li', 'section', 'article', 'header', 'footer', 'center', 'dt', 'dd', 'address']);
const cells = new Set(['td', 'th']);

type Attributes = Readonly<Record<string, string>>;

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && url.length <= longestUrl;
}

/** Collects the text of a page while its elements begin and end. */
class TextOfPage implements PageHandler {
  readonly #hiddenNames: ReadonlySet<string>;
  readonly #links: { url: string; start: number }[] = [];
  readonly #pieces: string[] = [];
  /** Whether nothing stands on the current line. */
  #isFresh = true;
  /** How many elements deep it is inside one that is not seen. */
  #unseen = 0;

  constructor(hiddenNames: ReadonlySet<string>) {
    this.#hiddenNames = hiddenNames;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  open(name: string, attributes: Attributes): void {
    if (this.#unseen > 0 || this.#isUnseen(name, attributes)) {
      this.#unseen++;
      return;
    }
    this.#surround(name);
    if (name === 'br') this.#pieces.push('\n');
    if (name === 'li') this.#add('- ');
    if (name === 'img' && attributes.alt) this.#add(` ${attributes.alt} `);
    if (name === 'a') this.#links.push({ url: attributes.href?.trim() ?? '', start: this.#pieces.length });
  }

  write(text: string): void {
    if (this.#unseen === 0) this.#add(text.replaceAll(/\s+/g, ' '));
  }

  close(name: string): void {
    if (this.#unseen > 0) {
      this.#unseen--;
      return;
    }
    if (name === 'a') this.#endLink();
    this.#surround(name);
  }

  #add(text: string): void {
    this.#pieces.push(text);
    if (text.trim() !== '') this.#isFresh = false;
  }

  /** What stands before and after the content of an element: a line begins once, however many elements begin with it. */
  #surround(name: string): void {
    if (cells.has(name)) this.#pieces.push(' ');
    const isParagraph = paragraphs.has(name);
    if (!isParagraph && !(lines.has(name) && !this.#isFresh)) return;
    this.#pieces.push(isParagraph ? '\n\n' : '\n');
    this.#isFresh = true;
  }

  #isUnseen(name: string, attributes: Attributes): boolean {
    if (unseen.has(name) || attributes.hidden !== undefined) return true;
    const names = [...(attributes.class ?? '').split(/\s+/, 50).map((one) => `.${one}`), `#${attributes.id ?? ''}`];
    return names.some((one) => this.#hiddenNames.has(one)) || isHiddenStyle(attributes.style ?? '');
  }

  /** Writes where a link leads if the beginning of its text does not say it. */
  #endLink(): void {
    const link = this.#links.pop();
    if (!link || !isWebAddress(link.url)) return;
    const shown = this.#pieces.slice(link.start, link.start + 20).join('');
    if (!shown.includes(link.url)) this.#add(` <${link.url}>`);
  }
}

function tidyText(text: string): string {
  return text
    .replaceAll(/[ \u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Where elements nest deeper, nothing more is read: no mail does, and finding their ends would take very long. */
const maxDepth = 500;

class TooDeep extends Error {}

interface PageHandler {
  open(name: string, attributes: Attributes): void;
  write(text: string): void;
  close(name: string): void;
}

/** Reads a page from its beginning, as far as its elements do not nest too deeply. */
function readPage(html: string, page: PageHandler): void {
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > maxDepth) throw new TooDeep();
      page.open(name, attributes);
    },
    ontext: (text) => page.write(text),
    onclosetag(name) {
      depth--;
      page.close(name);
    },
  });
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
}

/** The style sheets inside a page. */
function listStyles(html: string): string {
  let [sheet, isInside] = ['', false];
  readPage(html, {
    open: (name) => (isInside = name === 'style'),
    write: (text) => (sheet += isInside ? text : ''),
    close: () => (isInside = false),
  });
  return sheet;
}

/** The text that a reader of a mail in HTML sees: without what its styles hide, as far as they do it by a style, class, or id. */
export function readHtmlText(html: string): string {
  const kept = html.slice(0, maxHtmlLength);
  const page = new TextOfPage(findHiddenNames(listStyles(kept)));
  readPage(kept, page);
  return tidyText(page.text);
}
