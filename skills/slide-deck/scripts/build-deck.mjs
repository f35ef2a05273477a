// Usage: node build-deck.mjs OUTLINE.md PAGE.html [--theme deck]
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { theme: { type: 'string', default: 'deck' }, lang: { type: 'string', default: 'en' } },
});
const [outline, target] = positionals;
if (!outline || !target) {
  console.error('usage: node build-deck.mjs OUTLINE.md PAGE.html [--theme deck] [--lang en]');
  process.exit(64);
}

function readOutline(text) {
  const deck = { title: '', slides: [] };
  for (const line of text.split('\n')) {
    const slide = deck.slides.at(-1);
    const image = /^!\[([^\]]*)\]\(([^)]+)\)/.exec(line.trim());
    if (line.startsWith('# ')) deck.title = line.slice(2).trim();
    else if (line.startsWith('## ')) deck.slides.push({ title: line.slice(3).trim(), points: [], notes: '', image: null });
    else if (!slide || line.trim() === '') continue;
    else if (/^notes:/i.test(line.trim())) slide.notes = `${slide.notes} ${line.trim().slice(6)}`.trim();
    else if (image) slide.image = { path: image[2], about: image[1] };
    else slide.points.push(line.trim().replace(/^[-*] /, ''));
  }
  return deck;
}

function findProblems({ title, slides }) {
  const problems = [];
  if (title === '') problems.push('the deck has no title (a line that begins with "# ")');
  if (slides.length === 0) problems.push('there is no slide (a line that begins with "## ")');
  for (const [at, slide] of slides.entries()) {
    const name = `slide ${at + 1} ("${slide.title}")`;
    if (slide.points.length > 5) problems.push(`${name} has ${slide.points.length} points; split it or cut to five`);
    const long = slide.points.filter((point) => point.split(/\s+/).length > 18);
    if (long.length > 0) problems.push(`${name} has ${long.length} points of more than 18 words`);
    if (slide.title.split(/\s+/).length < 3) problems.push(`${name}: the title is a topic; say the message as a sentence`);
    if (slide.notes === '') problems.push(`${name} has no notes for the speaker`);
    if (slide.image && slide.image.about === '') problems.push(`${name}: say what the image shows`);
  }
  return problems;
}

const escape = (text) => text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]);

function renderSlide({ title, points, notes, image }) {
  const list = points.length > 0 ? `<ul>\n${points.map((point) => `    <li>${escape(point)}</li>`).join('\n')}\n  </ul>` : '';
  const figure = image ? `<figure><img src="${escape(image.path)}" alt="${escape(image.about)}"></figure>` : '';
  const content =
    image && list
      ? `<div class="columns main-side">\n  ${figure}\n  ${list}\n  </div>`
      : `<div class="fill">\n  ${figure || list}\n  </div>`;
  const said = notes ? `\n  <aside class="notes"><p>${escape(notes)}</p></aside>` : '';
  return `<section class="slide">\n  <h2>${escape(title)}</h2>\n  ${content}${said}\n</section>`;
}

function renderPage({ title, slides }) {
  return `<!doctype html>
<html lang="${escape(given.lang)}" data-theme="${escape(given.theme)}">
<head><meta charset="utf-8"><title>${escape(title)}</title><link rel="stylesheet" href="kit/kit.css"></head>
<body>
<section class="slide cover">
  <h1>${escape(title)}</h1>
</section>
${slides.map(renderSlide).join('\n')}
</body>
</html>
`;
}

const deck = readOutline(readFileSync(outline, 'utf8'));
writeFileSync(target, renderPage(deck));
const problems = findProblems(deck);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`"${deck.title}": ${deck.slides.length} slides, ${problems.length} problems`);
process.exitCode = deck.slides.length === 0 || deck.title === '' ? 1 : 0;
