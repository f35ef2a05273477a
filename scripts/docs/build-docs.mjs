import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transformWithOxc } from 'vite';
import { listPages } from './doc-pages.mjs';
import { framePage } from './page-frame.mjs';
import { renderPage } from './render-page.mjs';
import { writeSearchIndex } from './search-index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The page for addresses where there is none; the service shows it at any of them. */
const missing = `<h1 tabindex="-1">Page not found</h1>
<p>This page does not exist, or it has moved. Search for it, or begin at the <a href="index.html">documentation</a>.</p>
`;

/** The fonts, colors, and sizes of the web application; the files of fonts are in `fonts`. */
function readTheme() {
  const css = readFileSync(path.join(root, 'web/src/app/style.css'), 'utf8');
  const fontRules = css.match(/@font-face \{[^}]*\}\n/g) ?? [];
  const [, theme = ''] = /@theme \{\n([\s\S]*?)\n\}/.exec(css) ?? [];
  return `${fontRules.join('')}:root {\n${theme.replace(/^ *--color-\*: initial;\n/, '')}\n}\n`;
}

/**
 * Writes the documentation as a static site: HTML of every page, its images, fonts, style, script, and search index. Addresses are relative, so it
 * works in any folder of any server.
 * @param {string} folder is replaced
 * @returns {Promise<number>} how many pages it has
 */
export async function writeDocs(folder) {
  rmSync(folder, { recursive: true, force: true });
  const write = (/** @type {string} */ name, /** @type {string} */ content) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    const bytes = Buffer.from(content);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  };
  const pages = listPages(root);
  const rendered = pages.map((page) => ({ ...page, ...renderPage(page) }));
  const fonts = path.join(root, 'web/src/app/fonts');
  cpSync(fonts, path.join(folder, 'fonts'), { recursive: true });
  const font = `fonts/${readdirSync(fonts).find((name) => /^inter-latin-\w+\.woff2$/.test(name))}`;
  const frame = { pages, font };
  for (const { target, title, html } of rendered) write(target, framePage({ ...frame, target, title, body: html }));
  write('404.html', framePage({ ...frame, target: '404.html', title: 'Page not found', body: missing, base: '/docs/' }));
  write('search.json', writeSearchIndex(rendered));
  write('docs.css', readTheme() + readFileSync(path.join(root, 'web/docs/docs.css'), 'utf8'));
  const script = path.join(root, 'web/docs/docs.ts');
  write('docs.js', (await transformWithOxc(readFileSync(script, 'utf8'), script)).code);
  write('theme.js', readFileSync(path.join(root, 'web/theme.js'), 'utf8'));
  for (const image of globSync('docs/**/*.{png,svg}', { cwd: root })) {
    cpSync(path.join(root, image), path.join(folder, image.slice('docs/'.length)));
  }
  return pages.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/docs'));
  console.log(`${folder}: ${await writeDocs(folder)} pages`);
}
