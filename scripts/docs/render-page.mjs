import path from 'node:path';
import hljs from 'highlight.js/lib/common';
import { Marked } from 'marked';
import { slugOf } from '../check-citations.mjs';
import { targetOf } from './doc-pages.mjs';

/**
 * A part of a page under one heading, for the search.
 * @typedef {{ id: string, heading: string, text: string }} DocPart
 *
 * @typedef {import('./doc-pages.mjs').DocPage} DocPage
 */

/** The only HTML in pages: anchors that code cites, with or without their end. */
const anchor = /^<a id="[\w.-]+">(<\/a>)?$|^<\/a>$/;
const imageName = /\.(png|svg)$/;

/** @param {string} text */
export function escapeHtml(text) {
  const entities = /** @type {Record<string, string>} */ ({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  });
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/**
 * Where a link of a page leads on the site; null for files that the site does not have, such as tests.
 * @param {DocPage} page
 * @param {string} href as the page has it
 * @returns {string | null}
 */
function resolveLink(page, href) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file = '', fragment] = href.split('#', 2);
  const source = path.posix.join(path.posix.dirname(page.source), file);
  const target = imageName.test(source) && source.startsWith('docs/') ? source.slice('docs/'.length) : targetOf(source);
  if (target === null) return null;
  const relative = path.posix.relative(path.posix.dirname(page.target), target);
  return fragment === undefined ? relative : `${relative}#${fragment}`;
}

/**
 * @param {string} code
 * @param {string | undefined} language
 */
function renderCode(code, language) {
  const name = language === 'console' || language === 'sh' ? 'bash' : language;
  const body = name && hljs.getLanguage(name) ? hljs.highlight(code, { language: name }).value : escapeHtml(code);
  // The label of the button is set where it works: by the script.
  return `<div class="code"><pre tabindex="0"><code>${body}</code></pre></div>\n`;
}

/** @param {string} html */
function toText(html) {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => plain[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** @type {Record<string, string>} */
const plain = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The body of a page as HTML, and its parts. Nothing of a page but its anchors is taken as HTML.
 * @param {DocPage} page
 * @returns {{ html: string, parts: DocPart[] }}
 */
export function renderPage(page) {
  const seen = /** @type {Map<string, number>} */ (new Map());
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = slugOf(text);
        const count = seen.get(slug) ?? 0;
        seen.set(slug, count + 1);
        const id = count === 0 ? slug : `${slug}-${count}`;
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}" tabindex="-1">${inner}</h1>\n`;
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = resolveLink(page, href);
        if (target === null) return `<span class="source">${inner}</span>`;
        const isElsewhere = /^https?:/.test(target);
        return `<a href="${escapeHtml(target)}"${isElsewhere ? ' rel="noopener noreferrer"' : ''}>${inner}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolveLink(page, href) ?? '')}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang }) {
        return renderCode(text, lang?.split(/\s/)[0]);
      },
      table(token) {
        const cell = (/** @type {{ tokens: import('marked').Token[] }} */ { tokens }, /** @type {string} */ tag) =>
          `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
        const isHeaded = token.header.some(({ text }) => text.trim() !== '');
        const head = isHeaded ? `<thead><tr>${token.header.map((one) => cell(one, 'th')).join('')}</tr></thead>` : '';
        const body = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }) {
        return anchor.test(text.trim()) ? text : escapeHtml(text);
      },
    },
  });
  const html = /** @type {string} */ (marked.parse(page.text, { async: false }));
  return { html, parts: listParts(html, page.title) };
}

/**
 * @param {string} html of a page
 * @param {string} title
 * @returns {DocPart[]}
 */
function listParts(html, title) {
  const pieces = html.split(/(?=<h[1-3] id=")/);
  return pieces.flatMap((piece) => {
    const [all = '', level = '1', id = '', inner = ''] = /^<h([1-3]) id="([^"]*)"[^>]*>(.*?)<\/h\1>/s.exec(piece) ?? [];
    const text = toText(piece.slice(all.length));
    if (all === '' && text === '') return [];
    const heading = toText(inner.replace(/<a class="anchor".*$/, ''));
    return [{ id: level === '1' ? '' : id, heading: heading === title ? '' : heading, text }];
  });
}
