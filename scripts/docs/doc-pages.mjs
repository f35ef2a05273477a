import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A page of the documentation: where its text is in the checkout, and where the site has it.
 * @typedef {{ source: string, target: string, section: string, text: string, title: string }} DocPage
 */

/** The sections of the sidebar in order, each with the folders and files that are in it. */
const sections = [
  { name: 'Start', places: ['docs/README.md', 'docs/start/'] },
  { name: 'Build', places: ['docs/build/', 'docs/gallery/'] },
  { name: 'Operate', places: ['docs/operate/', 'SECURITY.md'] },
  {
    name: 'Reference',
    places: ['docs/reference/', 'docs/operations.md', 'docs/compatibility.md', 'docs/errors/', 'CHANGELOG.md'],
  },
  { name: 'Internals', places: ['ARCHITECTURE.md', 'docs/internals/', 'CONTRIBUTING.md'] },
];

/** The names of the sections, in order. */
export const sectionNames = sections.map(({ name }) => name);

/**
 * Where the site has a file of the checkout: pages as `.html`, the page of a folder as its `index.html`; null for what it does not have.
 * @param {string} source relative to the checkout
 * @returns {string | null}
 */
export function targetOf(source) {
  if (!sections.some(({ places }) => places.some((place) => isIn(source, place)))) return null;
  const below = source.startsWith('docs/') ? source.slice('docs/'.length) : source.toLowerCase();
  return below.replace(/(^|\/)readme\.md$/i, '$1index.html').replace(/\.md$/, '.html');
}

/**
 * @param {string} source
 * @param {string} place a file, or a folder that ends with a slash
 */
function isIn(source, place) {
  return place.endsWith('/') ? source.startsWith(place) && source.endsWith('.md') : source === place;
}

/**
 * The first heading of a page, without markup.
 * @param {string} text
 */
function titleOf(text) {
  return (/^# +(.+?) *$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
}

/**
 * Every page of the documentation in the order of the sidebar.
 * @param {string} root of the checkout
 * @returns {DocPage[]}
 */
export function listPages(root) {
  return sections.flatMap(({ name, places }) =>
    places.flatMap((place) => {
      const found = place.endsWith('/') ? globSync(`${place}**/*.md`, { cwd: root }).toSorted(indexFirst) : [place];
      return found.map((source) => {
        const text = readFileSync(path.join(root, source), 'utf8');
        return { source, target: targetOf(source) ?? '', section: name, text, title: titleOf(text) };
      });
    }),
  );
}

/**
 * The page of a folder comes before what is in the folder.
 * @param {string} one
 * @param {string} other
 */
function indexFirst(one, other) {
  const [a, b] = [one, other].map((source) => source.replace('README.md', ''));
  return String(a) < String(b) ? -1 : 1;
}
