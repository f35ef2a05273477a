/** @typedef {import('./render-page.mjs').DocPart} DocPart */

/** Longest beginning of a part that results show. */
const excerptLength = 140;

/** Larger than this it would take too long to load over a phone's connection. */
const mostBytes = 1_200_000;

/**
 * The words of a text, each once, in the form in which they are searched.
 * @param {string} text
 */
function wordsOf(text) {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,40}/gu) ?? [])].join(' ');
}

/**
 * What the search of the site loads: `[address, page, heading, excerpt, words]` for each part. Throws if it is too large.
 * @param {readonly { target: string, title: string, parts: readonly DocPart[] }[]} pages
 * @returns {string}
 */
export function writeSearchIndex(pages) {
  const rows = pages.flatMap(({ target, title, parts }) =>
    parts.map(({ id, heading, text }) => {
      const excerpt = text.length > excerptLength ? `${text.slice(0, excerptLength).replace(/\s\S*$/, '')} …` : text;
      return [id === '' ? target : `${target}#${id}`, title, heading, excerpt, wordsOf(text)];
    }),
  );
  const index = JSON.stringify(rows);
  if (index.length > mostBytes) throw new Error(`the search index has ${index.length} bytes, ${mostBytes} are allowed`);
  return index;
}
