import path from 'node:path';
import { sectionNames } from './doc-pages.mjs';
import { escapeHtml } from './render-page.mjs';

/** @typedef {import('./doc-pages.mjs').DocPage} DocPage */

/** The mark of the service, as in the icon of the web application. */
const mark = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M22 10H12.5a2.5 2.5 0 0 0-2.5 2.5v7a2.5 2.5 0 0 0 2.5 2.5H22M10.5 16H20" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/**
 * The links of the sidebar, relative to a page. Pages of folders below a section's own are left to the page of their folder.
 * @param {readonly DocPage[]} pages
 * @param {string} target of the page that they are on
 */
function renderSidebar(pages, target) {
  const here = path.posix.dirname(target);
  const isListed = (/** @type {DocPage} */ { target: one }) => !/^(errors|internals\/decisions)\/(?!index)/.test(one);
  return sectionNames
    .map((section) => {
      const links = pages
        .filter((page) => page.section === section && (isListed(page) || page.target === target))
        .map(({ target: to, title }) => {
          const current = to === target ? ' aria-current="page"' : '';
          return `<li><a href="${path.posix.relative(here, to)}"${current}>${escapeHtml(title)}</a></li>`;
        });
      return `<li><p>${section}</p><ul>${links.join('')}</ul></li>`;
    })
    .join('\n');
}

/**
 * A whole page.
 * @param {{ pages: readonly DocPage[], target: string, title: string, body: string, font: string, base?: string }} parts `font`: the file
 *   of the typeface that every page needs; `base`: where the site is, for a page that is shown at any address
 * @returns {string}
 */
export function framePage({ pages, target, title, body, font, base }) {
  const up = path.posix.relative(path.posix.dirname(target), '.');
  const root = base ?? (up === '' ? './' : `${up}/`);
  const link = (/** @type {string} */ html) =>
    base === undefined ? html : html.replaceAll(/href="(?!https?:|#|\/)/g, `href="${base}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Errand</title>
<script src="${root}theme.js"></script>
<link rel="preload" as="font" type="font/woff2" crossorigin href="${root}${font}">
<link rel="stylesheet" href="${root}docs.css">
<script type="module" src="${root}docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="${root}index.html">${mark}Errand docs</a>
<form role="search" class="search" data-root="${root}" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="100">
</form>
</header>
<div class="columns">
<nav class="sidebar" aria-label="Documentation"><details open><summary>Contents</summary><ul>
${link(renderSidebar(pages, target))}
</ul></details></nav>
<main id="content" tabindex="-1">
<div class="results" role="region" aria-label="Search results" hidden><h1>Search results</h1><p role="status"></p><ol></ol></div>
<article>
${link(body)}</article>
</main>
</div>
</body>
</html>
`;
}
