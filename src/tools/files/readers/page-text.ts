import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { decodePage } from './page-encoding.ts';
import { longestReading, type Reading } from './document-reading.ts';
import { type MarkupNode, renderMarkup, resolveLink } from './markup-text.ts';
import { removeUnseen, type StyledElement } from './unseen-text.ts';

/** An extract with less than this share of the page has missed the actual content, as on a list of links or in a shop. */
const tooLittle = 0.1;
const shortText = 300;

interface PageElement extends StyledElement {
  childNodes: Iterable<unknown>;
  removeAttribute(name: string): void;
  before(node: unknown): void;
  closest(selector: string): PageElement | null;
}

interface PageDocument {
  documentElement: MarkupNode;
  head: { append(element: PageElement): void };
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

const parseMarkup = (html: string) => (parseHTML(html) as unknown as { document: PageDocument }).document;

/** The parser adds none of the elements that HTML lets authors omit; without them, all but the first element would be lost. */
function parsePage(html: string): PageDocument {
  const document = parseMarkup(html);
  // A page without any element has no root.
  const root = document.documentElement as MarkupNode | null;
  if (root?.nodeName === 'HTML' && [...root.childNodes].some(({ nodeName }) => nodeName === 'BODY')) return document;
  const whole = parseMarkup(`<html><head></head><body>${html}</body></html>`);
  // Nor does it close a head at what belongs to no head, so that all of the page could be within.
  for (const element of whole.querySelectorAll('body html, body head, body body')) {
    for (const child of [...element.childNodes]) element.before(child);
    element.remove();
  }
  for (const element of whole.querySelectorAll('title, meta')) {
    if (element.closest('svg') === null) whole.head.append(element);
  }
  return whole;
}

/** Whole addresses can be a hundred times as long as a page that gives only their ends: no more than this is shown of them. */
const mostAddresses = longestReading / 2;

/** Leaves only links to other pages, and of those as many as can be shown. */
function removeOtherLinks(links: Iterable<PageElement>, url: string): void {
  let length = 0;
  for (const link of links) {
    const target = resolveLink(link.getAttribute('href') ?? '', url);
    length += target?.length ?? 0;
    if (target === null || length > mostAddresses) link.removeAttribute('href');
  }
}

/** From where the links of a page are meant: its own address, unless it names another one. */
function findBase(document: PageDocument, url: string): string {
  removeOtherLinks(document.querySelectorAll('base[href]'), url);
  return resolveLink(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url;
}

const longestFact = 160;

/** The author, date, and site of a page, as far as it names them. */
function describeOrigin({ author, published, site, domain }: Record<'author' | 'published' | 'site' | 'domain', string>): string {
  // A page without a site of its own is said to be of its author.
  const facts = [author === '' ? '' : `By ${author}`, published, site === domain || site === author ? '' : site].map((fact) =>
    toOneLine(fact).slice(0, longestFact),
  );
  const known = facts.filter((fact) => fact !== '');
  return known.length === 0 ? '' : `${known.join(' · ')}\n\n`;
}

/**
 * A page as Markdown: its main content, or all of it if that cannot be determined, below its title, author, date, and site. Nothing is
 * fetched, no script runs, and what no reader of the page would see is left out.
 */
export async function readPage(bytes: Uint8Array, url = 'about:blank', contentType = ''): Promise<Reading> {
  const html = decodePage(bytes, contentType);
  const isOnWhite = !/background|bgcolor|stylesheet/i.test(html);
  let unseen = 0;
  let base = url;
  const parse = () => {
    const document = parsePage(html);
    unseen = removeUnseen([...document.querySelectorAll('[style], [hidden]')], isOnWhite);
    base = findBase(document, url);
    removeOtherLinks(document.querySelectorAll('a[href]'), base);
    return document;
  };
  const whole = parse();
  const root = whole.documentElement;
  const all = renderMarkup(root, base);
  // Addresses within the site are no content: without them, menus do not outweigh a short article.
  const plainLength = renderMarkup(root).length;
  const named = [...whole.querySelectorAll('title')].find((one) => one.closest('svg') === null);
  const title = (named?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const options = { markdown: true, useAsync: false, fetch: () => Promise.reject(new Error('nothing is fetched')) };
  const extract = await Defuddle(parse() as never, url, options).catch(() => null);
  const content = extract?.content ?? '';
  const text = content.length > Math.min(shortText, plainLength * tooLittle) ? content : all;
  const heading = title === '' || text.startsWith('# ') ? '' : `# ${title}\n\n`;
  const origin = extract ? describeOrigin(extract) : '';
  const note =
    unseen === 0 ? '' : `\n\n[Left out: ${unseen} ${unseen === 1 ? 'text' : 'texts'} that no reader of the page can see]`;
  return { what: 'web page', text: `${heading}${origin}${text}`.slice(0, longestReading) + note };
}
