// Usage: node check-site.mjs FOLDER
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node check-site.mjs FOLDER');
  process.exit(64);
}

const largeBytes = 1024 * 1024;
const problems = [];
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

for (const file of files) if (/\.html?$/i.test(file)) checkPage(file);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`${folder}: ${files.size} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
