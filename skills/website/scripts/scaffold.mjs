// Usage: node scaffold.mjs FOLDER --title TITLE [--pages index,about] [--lang en]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    title: { type: 'string', default: 'Untitled' },
    pages: { type: 'string', default: 'index' },
    lang: { type: 'string', default: 'en' },
  },
});
const [folder] = positionals;
if (!folder) {
  console.error('usage: node scaffold.mjs FOLDER --title TITLE [--pages index,about] [--lang en]');
  process.exit(64);
}

const escape = (text) => text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]);
const pages = given.pages
  .split(',')
  .map((page) => page.trim())
  .filter((page) => /^[a-z0-9-]+$/.test(page));
const nameOf = (page) => (page === 'index' ? 'Home' : page.charAt(0).toUpperCase() + page.slice(1).replaceAll('-', ' '));

const style = `:root {
  --ink: #1b1f24; --paper: #fdfcfa; --soft: #6b7280; --accent: #0b6e4f; --line: #e3e1dc; --space: 1.25rem; --width: 64rem;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece9e4; --paper: #14171a; --soft: #a3a9b1; --accent: #5ccfa5; --line: #2c3136; }
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
img { max-width: 100%; height: auto; }
footer { color: var(--soft); border-top: 1px solid var(--line); margin-top: 4rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;

function renderPage(page) {
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
    <h1>${escape(title)}</h1>
  </main>
  <footer>
    <p>${escape(given.title)}</p>
  </footer>
  <script src="script.js" defer></script>
</body>
</html>
`;
}

mkdirSync(folder, { recursive: true });
const files = {
  'style.css': style,
  'script.js': '',
  ...Object.fromEntries(pages.map((page) => [`${page}.html`, renderPage(page)])),
};
for (const [name, content] of Object.entries(files)) {
  const path = join(folder, name);
  if (existsSync(path)) console.log(`kept ${path}`);
  else {
    writeFileSync(path, content);
    console.log(`made ${path}`);
  }
}
