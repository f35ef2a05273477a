// Usage: node check-site.mjs FOLDER
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { dirname, join, normalize, relative } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node check-site.mjs FOLDER');
  process.exit(64);
}

const largeBytes = 1024 * 1024;
const problems = [];
const hints = [];
const files = new Set(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
);
const report = (page, problem) => problems.push(`${page}: ${problem}`);

if (!files.has('index.html')) report(folder, 'there is no index.html');
for (const file of files) {
  const { size } = statSync(join(folder, file));
  if (size > largeBytes) report(file, `${Math.round(size / 1024)} KB; make it smaller than 1 MB`);
}

const attributesOf = (tag) =>
  Object.fromEntries([...tag.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name, value]));
const tagsOf = (html, name) => [...html.matchAll(new RegExp(`<${name}\\b[^>]*>`, 'gi'))].map(([tag]) => tag);

function checkReference(page, reference, ids) {
  if (/^(mailto|tel|data|javascript):/i.test(reference)) return;
  if (/^(https?:)?\/\//i.test(reference)) return;
  const [path, anchor] = reference.split('#');
  if (path === '') {
    if (anchor && !ids.has(anchor)) report(page, `#${anchor} leads nowhere`);
    return;
  }
  const clean = decodeURIComponent(path.split('?')[0]);
  if (clean.startsWith('/')) return report(page, `${reference} begins with a slash; a site in a folder needs relative addresses`);
  const target = normalize(join(dirname(page), clean.endsWith('/') ? `${clean}index.html` : clean));
  if (!files.has(target)) report(page, `${reference} leads nowhere`);
}

function checkPage(page) {
  const html = readFileSync(join(folder, page), 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const ids = [...html.matchAll(/\sid\s*=\s*"([^"]+)"/g)].map(([, id]) => id);
  const doubled = ids.filter((id, at) => ids.indexOf(id) !== at);
  for (const id of new Set(doubled)) report(page, `the id ${id} stands there twice`);
  if (!/<html[^>]*\slang\s*=/i.test(html)) report(page, 'the language is missing: <html lang="…">');
  if (!/<title>\s*\S[\s\S]*?<\/title>/i.test(html)) report(page, 'there is no title');
  if (!/<meta[^>]*name="description"[^>]*content="[^"]+"/i.test(html)) report(page, 'there is no description');
  if (!/<meta[^>]*name="viewport"/i.test(html)) report(page, 'there is no viewport, so phones show it tiny');
  for (const tag of tagsOf(html, 'img'))
    if (attributesOf(tag).alt === undefined) report(page, `no alternative text: ${tag.slice(0, 80)}`);
  for (const name of ['script', 'link', 'img', 'iframe', 'source', 'video', 'audio']) {
    for (const tag of tagsOf(html, name)) {
      const { src, href, rel } = attributesOf(tag);
      const reference = src ?? href;
      const isRequest = reference !== undefined && /^(https?:)?\/\//i.test(reference) && rel !== 'canonical';
      if (isRequest) report(page, `asks another host: ${reference}`);
    }
  }
  for (const [, , reference] of html.matchAll(/\s(href|src)\s*=\s*"([^"]+)"/g)) checkReference(page, reference, new Set(ids));
  const levels = [...html.matchAll(/<h([1-6])\b/gi)].map(([, level]) => Number(level));
  if (levels.filter((level) => level === 1).length !== 1) report(page, 'a page has exactly one h1');
  levels.forEach((level, at) => {
    if (at > 0 && level > levels[at - 1] + 1) report(page, `h${levels[at - 1]} is followed by h${level}`);
  });
}

/** How pictures begin. */
const signatures = {
  png: /^\x89PNG/,
  jpg: /^\xff\xd8\xff/,
  jpeg: /^\xff\xd8\xff/,
  gif: /^GIF8/,
  webp: /^RIFF....WEBP/s,
  avif: /^....ftyp/s,
  svg: /<svg[\s>]/,
};

function checkPicture(file, ending) {
  const start = readFileSync(join(folder, file)).subarray(0, 2000).toString('latin1');
  if (!signatures[ending].test(start)) report(file, `is no ${ending}, whatever its name says`);
}

function checkScript(file) {
  const isModule = new RegExp(
    `type\\s*=\\s*"module"[^>]*${file.replaceAll(/[^\w]/g, '.')}|${file.replaceAll(/[^\w]/g, '.')}[^>]*type\\s*=\\s*"module"`,
  );
  const pages = [...files].filter((each) => /\.html?$/i.test(each)).map((each) => readFileSync(join(folder, each), 'utf8'));
  const kind = pages.some((page) => isModule.test(page)) ? 'module' : 'commonjs';
  const input = readFileSync(join(folder, file), 'utf8');
  const { status, stderr } = spawnSync(process.execPath, ['--check', `--input-type=${kind}`, '-'], { input, encoding: 'utf8' });
  if (status !== 0) report(file, `cannot run: ${/^\w*Error: .*$/m.exec(stderr)?.[0] ?? 'it is no script'}`);
}

/** What a message shows that links to the page. */
function checkCard(page, html) {
  const [, picture] = /<meta[^>]*property="og:image"[^>]*content="([^"]+)"/i.exec(html) ?? [];
  if (picture === undefined)
    return void hints.push(`${page}: no picture for messages that link to it: <meta property="og:image">`);
  if (/^https:/.test(picture) || files.has(normalize(picture))) return;
  hints.push(`${page}: ${picture}, the picture for messages that link to it, is not there yet`);
}

for (const file of files) {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? [];
  if (ending === 'html' || ending === 'htm') checkPage(file);
  else if (Object.hasOwn(signatures, ending)) checkPicture(file, ending);
  else if (ending === 'js' || ending === 'mjs') checkScript(file);
}
if (files.has('index.html')) checkCard('index.html', readFileSync(join(folder, 'index.html'), 'utf8'));
for (const hint of hints) console.log(`hint: ${hint}`);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`${folder}: ${files.size} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
