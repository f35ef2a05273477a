// Usage: node build-deck.mjs OUTLINE.md [--html DECK.html] [--json DECK.json]
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { html: { type: 'string' }, json: { type: 'string' } },
});
if (!positionals[0]) {
  console.error('usage: node build-deck.mjs OUTLINE.md [--html DECK.html] [--json DECK.json]');
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

const style = `*{box-sizing:border-box}body{margin:0;font:16px/1.4 system-ui,sans-serif;background:#111}
section{display:none;width:100vw;height:100vh;padding:7vmin 9vmin;background:#fff;color:#1a1a1a;flex-direction:column}
section.on{display:flex}h1{font-size:8vmin;margin:auto 0}h2{font-size:5.2vmin;line-height:1.15;margin:0 0 4vmin}
li{font-size:3.4vmin;margin:0 0 2vmin}img{max-width:100%;max-height:55vh;object-fit:contain}
aside{display:none;margin-top:auto;font-size:2.2vmin;color:#555;border-top:1px solid #ccc;padding-top:1.5vmin}
body.notes aside{display:block}@media print{section{display:flex;page-break-after:always}aside{display:block}}`;

const script = `let at=0;const all=[...document.querySelectorAll('section')];
const show=(n)=>{at=Math.max(0,Math.min(all.length-1,n));all.forEach((s,i)=>s.classList.toggle('on',i===at))};
addEventListener('keydown',(e)=>{if(['ArrowRight','PageDown',' '].includes(e.key))show(at+1);
if(['ArrowLeft','PageUp'].includes(e.key))show(at-1);if(e.key==='n')document.body.classList.toggle('notes')});
addEventListener('click',()=>show(at+1));show(0);`;

function renderSlide({ title, points, notes, image }) {
  const list = points.length > 0 ? `<ul>${points.map((point) => `<li>${escape(point)}</li>`).join('')}</ul>` : '';
  const picture = image ? `<img src="${escape(image.path)}" alt="${escape(image.about)}">` : '';
  return `<section><h2>${escape(title)}</h2>${list}${picture}${notes ? `<aside>${escape(notes)}</aside>` : ''}</section>`;
}

function renderHtml({ title, slides }) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><section><h1>${escape(title)}</h1></section>
${slides.map(renderSlide).join('\n')}
<script>${script}</script></body></html>
`;
}

const deck = readOutline(readFileSync(positionals[0], 'utf8'));
if (given.json) writeFileSync(given.json, `${JSON.stringify(deck, null, 2)}\n`);
if (given.html) writeFileSync(given.html, renderHtml(deck));
const problems = findProblems(deck);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`"${deck.title}": ${deck.slides.length} slides, ${problems.length} problems`);
process.exitCode = deck.slides.length === 0 || deck.title === '' ? 1 : 0;
