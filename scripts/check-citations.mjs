import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lineAt, listFiles } from './source-file.mjs';

/**
 * A place in a text that leads to a file of the checkout, and perhaps to an anchor in it.
 * @typedef {{ line: number, file: string, anchor: string | null }} Reference
 *
 * The anchors of a page: ids that are written out, and those that follow from its headings.
 * @typedef {{ explicit: string[], slugs: string[] }} Anchors
 *
 * @typedef {{ path: string, text: string }} TextFile
 * @typedef {{ path: string, line: number, problem: string }} Finding
 */

const codeFolders = ['.ci', 'bench', 'bin', 'migrations', 'packages', 'scripts', 'src', 'test', 'web/build', 'web/src'];
const codeName = /\.(tsx?|mjs|sql|ya?ml)$|^(errand|run)$/;
const pageFolders = ['docs', 'packages', 'skills'];

/** Files that quote what this script looks for. */
const ownFiles = /^scripts\/check-citations\.(test\.)?mjs$/;

/** Documents that are not in the checkout, in the forms in which code has cited them. */
const absentDocuments =
  /wire[- ]facts|(?:\bthe |\()specification\b|\b(?:decisions|properties|specification), ["P]|(?<![\w-])contract\.md\b/gi;

/**
 * Blanks out what a page only shows, such as code, so that positions stay as they are.
 * @param {string} text
 * @param {RegExp} pattern
 */
const blank = (text, pattern) => text.replaceAll(pattern, (shown) => shown.replaceAll(/[^\n]/g, ' '));

/** @param {string} text */
const withoutBlocks = (text) => blank(text, /^( *)```.*?^\1```$/gms);

/**
 * The id that GitHub gives to a heading.
 * @param {string} heading
 */
export function slugOf(heading) {
  const plain = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/<[^>]*>/g, '');
  return plain
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/**
 * @param {string} text of a page
 * @returns {Anchors}
 */
export function listAnchors(text) {
  const prose = withoutBlocks(text);
  /** @type {Map<string, number>} */
  const seen = new Map();
  const slugs = [...prose.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return { explicit: [...prose.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id), slugs };
}

/**
 * The relative links of a page, with paths from the root of the checkout.
 * @param {TextFile} page
 * @returns {Reference[]}
 */
export function listLinks({ path: page, text }) {
  const prose = blank(withoutBlocks(text), /`[^`\n]+`/g);
  return [...prose.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(({ 1: target = '', 2: anchor = null, index }) => ({
    line: lineAt(text, index),
    file: target === '' ? page : path.posix.join(path.posix.dirname(page), target),
    anchor,
  }));
}

/**
 * Paths that a page names in code type, such as those of tests; not patterns, and not what an installation makes.
 * @param {string} text
 * @returns {Reference[]}
 */
export function listPaths(text) {
  const folders = 'bench|docs|migrations|packages|scripts|src|test|web';
  const named = withoutBlocks(text).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*\\w)/?\``, 'g'));
  return [...named]
    .map(({ 1: file = '', index }) => ({ line: lineAt(text, index), file, anchor: null }))
    .filter(({ file }) => !/NNNN|node_modules/.test(file));
}

/**
 * The pages that code cites, in its comments and in what it prints: `docs/reference/api.md#task`. A path in quotes is data.
 * @param {string} text
 * @returns {Reference[]}
 */
export function listCitations(text) {
  return [...text.matchAll(/(?<=[\s(`])(docs\/[\w./-]*\w)(?:#([\w-]+))?/g)].map(({ 1: file = '', 2: anchor = null, index }) => ({
    line: lineAt(text, index),
    file,
    anchor,
  }));
}

/**
 * Mentions of documents that nobody who has the checkout can read.
 * @param {string} text
 */
export function listAbsent(text) {
  return [...text.matchAll(absentDocuments)].map(({ 0: mention, index }) => ({ line: lineAt(text, index), mention }));
}

/**
 * Ids that a page has written out more than once.
 * @param {Anchors} anchors
 */
export function listTwins({ explicit }) {
  return [...new Set(explicit.filter((id, index) => explicit.indexOf(id) !== index))];
}

/** A checkout as far as references lead. */
class Checkout {
  /** @type {Map<string, Anchors>} */
  #anchors = new Map();
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
  }

  /** @param {string} file @returns {TextFile} */
  read(file) {
    return { path: file, text: readFileSync(path.join(this.#root, file), 'utf8') };
  }

  /** @param {string} page */
  anchorsOf(page) {
    const known = this.#anchors.get(page) ?? listAnchors(this.read(page).text);
    this.#anchors.set(page, known);
    return known;
  }

  /**
   * What is wrong with a reference, null for a sound one.
   * @param {Reference} reference
   * @param {(anchors: Anchors) => string[]} choose the anchors that may be named
   */
  check({ file, anchor }, choose) {
    if (!existsSync(path.join(this.#root, file))) return `${file} does not exist`;
    if (anchor === null || (file.endsWith('.md') && choose(this.anchorsOf(file)).includes(anchor))) return null;
    return `${file} has no anchor "${anchor}"`;
  }
}

/**
 * Every citation and link of a checkout that leads nowhere, and every mention of a document that is not in it.
 * @param {string} root
 */
export function checkCitations(root) {
  const checkout = new Checkout(root);
  const pages = [...readdirSync(root).filter((name) => name.endsWith('.md')), ...listFiles(root, pageFolders, /\.md$/)].map(
    (file) => checkout.read(file),
  );
  const code = listFiles(root, codeFolders, codeName)
    .filter((file) => !ownFiles.test(file))
    .map((file) => checkout.read(file));
  /** @type {Finding[]} */
  const findings = [];
  /** @param {string} file @param {Reference[]} references @param {(anchors: Anchors) => string[]} choose */
  const checkAll = (file, references, choose) => {
    for (const reference of references) {
      const problem = checkout.check(reference, choose);
      if (problem !== null) findings.push({ path: file, line: reference.line, problem });
    }
  };
  for (const page of pages) {
    checkAll(page.path, [...listLinks(page), ...listPaths(page.text)], ({ explicit, slugs }) => [...explicit, ...slugs]);
    for (const id of listTwins(checkout.anchorsOf(page.path))) {
      findings.push({ path: page.path, line: 1, problem: `the anchor "${id}" is there more than once` });
    }
  }
  const citations = code.map(({ path: file, text }) => ({ file, cited: listCitations(text) }));
  for (const { file, cited } of citations) checkAll(file, cited, ({ explicit }) => explicit);
  for (const { path: file, text } of [...pages, ...code]) {
    for (const { line, mention } of listAbsent(text)) {
      findings.push({ path: file, line, problem: `"${mention}" names a document that is not in the repository` });
    }
  }
  return { pages: pages.length, citations: citations.flatMap(({ cited }) => cited).length, findings };
}

if (import.meta.main) {
  const { pages, citations, findings } = checkCitations(process.cwd());
  console.log(`citations: ${citations} in code, and the links of ${pages} pages`);
  for (const { path: file, line, problem } of findings) console.error(`${file}:${line}  ${problem}`);
  if (findings.length > 0) {
    console.error('    Code cites an id that the page writes out, <a id="…"></a>: see docs/reference/README.md.');
    process.exitCode = 1;
  }
}
