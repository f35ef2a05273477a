// Usage: node scaffold.mjs FOLDER --title TITLE [--kind landing] [--pages index,about,contact:form] [--lang en] [--data file.csv]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { decode, describe, readTable, writeData } from './read-table.mjs';
import { kinds as known, partsOf } from './starters.mjs';

function stop(status, ...reasons) {
  for (const reason of reasons) console.error(reason);
  process.exit(status);
}

const usage = [
  'usage: node scaffold.mjs FOLDER --title TITLE [--kind KIND] [--pages index,about,contact:KIND] [--lang en] [--data file.csv]',
  `KIND is ${known.join(', ')}; --data is the table of a dashboard; FOLDER is a new one; names of pages are of a-z, 0-9, and -`,
];

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        title: { type: 'string', default: 'Untitled' },
        pages: { type: 'string', default: 'index' },
        lang: { type: 'string', default: 'en' },
        kind: { type: 'string', default: 'page' },
        data: { type: 'string' },
      },
    });
  } catch (error) {
    return stop(64, error.message, ...usage);
  }
}

const { values: given, positionals } = readArguments();
const folder = normalize(positionals[0] ?? '').replace(/\/+$/, '');
const named = given.pages
  .split(',')
  .map((page) => page.trim())
  .filter((page) => page !== '');
const unknown = named.find((page) => !/^[a-z0-9-]+(:[a-z+]+)?$/.test(page));
if (unknown !== undefined) stop(64, `--pages: "${unknown}" is no name of a page`, ...usage);
/** Of each page its kind: its own, of the first page that of the site, else an empty page. */
const kinds = new Map(
  named.map((page) => page.split(':')).map(([page, kind], at) => [page, kind ?? (at === 0 ? given.kind : 'page')]),
);
const isKnown = (kind) => known.includes(kind);
const isFolder = positionals.length === 1 && !['', '.', '..'].includes(basename(folder));
if (!isFolder || kinds.size === 0 || !isKnown(given.kind) || ![...kinds.values()].every(isKnown)) stop(64, ...usage);
if (given.data !== undefined && !existsSync(given.data)) stop(66, `--data: there is no file ${given.data}`);

const escape = (text) => text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]);
const pages = [...kinds.keys()];
const used = new Map([...kinds.values()].flatMap(partsOf).map((part) => [part.name, part]));
if (given.data !== undefined && !used.has('dashboard')) stop(64, '--data: no page is a dashboard', ...usage);
const nameOf = (page) => (page === 'index' ? 'Home' : page.charAt(0).toUpperCase() + page.slice(1).replaceAll('-', ' '));

const style = `:root {
  --ink: #1b1f24; --paper: #fdfcfa; --soft: #565d68; --accent: #0b6e4f; --line: #e3e1dc; --raised: #ffffff; --tint: #e6f1ec; --radius: 10px;
  --space: 1.25rem; --width: 64rem; --on-accent: #ffffff; --problem: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece9e4; --paper: #14171a; --soft: #a3a9b1; --accent: #5ccfa5; --line: #2c3136; --raised: #1b1f23; --tint: #16291f; --on-accent: #06281b; --problem: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main, footer { max-width: var(--width); margin: 0 auto; padding: var(--space); }
header { display: flex; flex-wrap: wrap; gap: var(--space); justify-content: space-between; border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: var(--space); list-style: none; margin: 0; padding: 0; }
a { color: var(--accent); }
nav a { display: inline-block; padding: 0.6rem 0; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h1 { font-size: clamp(2rem, 6vw, 3.25rem); line-height: 1.1; }
h2 { margin-top: 2.5rem; line-height: 1.2; }
.lead { font-size: 1.2rem; color: var(--soft); max-width: 40rem; }
.button { display: inline-flex; align-items: center; min-height: 48px; padding: 0 1.4rem; font: inherit; font-weight: 650; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 999px; text-decoration: none; cursor: pointer; }
::placeholder { color: var(--soft); opacity: 1; }
img { max-width: 100%; height: auto; }
footer { color: var(--soft); border-top: 1px solid var(--line); margin-top: 4rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;

/** What a page shows before it has data of its own. */
const sample = 'Name,Value\nFirst,12\nSecond,30\nThird,7\n';
const dataOf = (part) => (part.name === 'dashboard' ? ['data.js'] : []);
const scriptsOf = (part) => (part.script === '' ? [] : [...dataOf(part), `${part.name}.js`]);

function renderPage(page) {
  const [first, second] = partsOf(kinds.get(page));
  const scripts = [first, second].flatMap((part) => (part ? scriptsOf(part) : []));
  const links = pages
    .map((each) => `        <li><a href="${each}.html"${each === page ? ' aria-current="page"' : ''}>${nameOf(each)}</a></li>`)
    .join('\n');
  const title = page === 'index' ? given.title : `${nameOf(page)} – ${given.title}`;
  return `<!doctype html>
<html lang="${escape(given.lang)}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escape(title)}</title>
  <meta name="description" content="${escape(title)}">
  <meta property="og:title" content="${escape(title)}">
  <meta property="og:description" content="${escape(title)}">
  <meta property="og:image" content="og.png">
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <header>
    <strong>${escape(given.title)}</strong>
    <nav aria-label="Main">
      <ul>
${links}
      </ul>
    </nav>
  </header>
  <main>
${first.body(escape(title), second?.section)}
  </main>
  <footer>
    <p>${escape(given.title)}</p>
  </footer>
${scripts.map((script) => `  <script src="${script}" defer></script>\n`).join('')}</body>
</html>
`;
}

/** A card for messages that link to the site; `render` makes a picture of it. */
const card = `<!doctype html>
<html lang="${escape(given.lang)}"><head><meta charset="utf-8"><title>${escape(given.title)}</title>
<style>body{margin:0}.slide{box-sizing:border-box;display:flex;flex-direction:column;justify-content:center;width:1200px;height:630px;padding:90px;background:#0b6e4f;color:#fff;font-family:system-ui,sans-serif}h1{margin:0;font-size:92px;line-height:1.05;text-wrap:balance}p{margin:32px 0 0;font-size:36px;color:#d9efe6}</style></head>
<body><section class="slide"><h1>${escape(given.title)}</h1><p>What it is, in one line.</p></section></body></html>
`;

const parts = [...used.values()];

function readData() {
  if (given.data === undefined) return readTable(sample);
  try {
    return readTable(decode(readFileSync(given.data)));
  } catch (error) {
    return stop(65, `${given.data}: ${error.message}`);
  }
}

const table = readData();
mkdirSync(folder, { recursive: true });
const files = {
  'style.css': style + parts.map((part) => part.style).join(''),
  ...Object.fromEntries(parts.filter(({ script }) => script !== '').map(({ name, script }) => [`${name}.js`, script])),
  ...(used.has('dashboard') && { 'data.js': writeData(table) }),
  ...Object.fromEntries(pages.map((page) => [`${page}.html`, renderPage(page)])),
};
// Beside the folder, because it is not for visitors.
const made = [...Object.entries(files).map(([name, content]) => [join(folder, name), content]), [`${folder}-og.html`, card]];
for (const [path, content] of made) {
  if (existsSync(path)) console.log(`kept ${path}`);
  else {
    writeFileSync(path, content);
    console.log(`made ${path}`);
    if (path === join(folder, 'data.js')) console.log(`${path}: ${describe(table)}`);
  }
}
