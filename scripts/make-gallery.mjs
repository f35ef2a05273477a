import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openStage, playBrief } from './gallery/play-brief.mjs';
import { openWorkspace } from '../packages/sandbox/src/workspace/workspace-folder.ts';

// Makes the pictures of docs/gallery from the examples of the design kit and the briefs of docs/gallery/briefs, with the tools that agents use.

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/gallery');
const gap = 12;

/** @typedef {{ example: string, theme: string, scheme: string, pages: number[], office?: 'pptx' | 'docx' }} ExamplePart */
/** @typedef {{ brief: string, file: string, pages: number[], view?: 'paper' | 'screen' | 'phone' }} BriefPart */
/** @typedef {{ file: string, columns: number, width: number, parts: (ExamplePart | BriefPart)[] }} Sheet */

const themes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'];

const tenSlides = Array.from({ length: 10 }, (_, at) => at + 1);

/** @type {Sheet[]} */
const sheets = [
  {
    file: 'report.png',
    columns: 4,
    width: 440,
    parts: [{ example: 'report', theme: 'report', scheme: 'light', pages: [1, 3, 4, 5] }],
  },
  {
    file: 'deck.png',
    columns: 5,
    width: 340,
    parts: [{ example: 'deck', theme: 'deck', scheme: 'light', pages: tenSlides }],
  },
  {
    file: 'word.png',
    columns: 4,
    width: 440,
    parts: [{ example: 'report', theme: 'report', scheme: 'light', pages: [1, 2, 3, 4], office: 'docx' }],
  },
  {
    file: 'themes.png',
    columns: 4,
    width: 340,
    parts: themes.map((theme) => ({ example: 'deck', theme, scheme: theme === 'keynote' ? 'dark' : 'light', pages: [1, 4] })),
  },
  { file: 'board.png', columns: 4, width: 440, parts: [{ brief: 'board', file: 'board.pdf', pages: [1, 2, 3, 4] }] },
  { file: 'pitch.png', columns: 3, width: 430, parts: [{ brief: 'pitch', file: 'ferry.pptx', pages: [1, 2, 3, 4, 6, 7] }] },
  { file: 'deck-zh.png', columns: 3, width: 430, parts: [{ brief: 'deck-zh', file: 'q3.pptx', pages: [1, 2, 3, 4, 5, 6] }] },
  {
    file: 'papers.png',
    columns: 4,
    width: 440,
    parts: [
      { brief: 'newsletter', file: 'allotment.pdf', pages: [1] },
      { brief: 'cv', file: 'cv.pdf', pages: [1] },
      { brief: 'letter', file: 'letter.pdf', pages: [1] },
      { brief: 'poster', file: 'poster.pdf', pages: [1] },
    ],
  },
  {
    file: 'office.png',
    columns: 4,
    width: 440,
    parts: [
      { brief: 'contract', file: 'agreement-edited.docx', pages: [1] },
      { brief: 'invoice', file: 'invoice.docx', pages: [1] },
      { brief: 'board', file: 'board.docx', pages: [2] },
      { brief: 'workbook', file: 'quarter.xlsx', pages: [1] },
    ],
  },
  {
    file: 'paper-and-site.png',
    columns: 4,
    width: 400,
    parts: [
      { brief: 'paper', file: 'paper.pdf', pages: [1, 2] },
      { brief: 'dashboard', file: 'index.html', pages: [1], view: 'screen' },
      { brief: 'dashboard', file: 'index.html', pages: [1], view: 'phone' },
    ],
  },
];

const { sandbox, press, tools, generators } = await openStage();
const signal = new AbortController().signal;
const folder = await mkdtemp(join(tmpdir(), 'errand-gallery-'));
await cp(join(root, 'skills/design-kit/kit'), join(folder, 'kit'), { recursive: true });
await mkdir(join(folder, 'examples'));
await mkdir(target, { recursive: true });

const workspace = openWorkspace(folder);

/**
 * Shows a page or an office file.
 * @param {string} path
 * @param {Partial<import('../packages/sandbox/src/press/press.ts').PressRequest>} changes
 * @param {import('../packages/sandbox/src/workspace/workspace-folder.ts').Workspace} [place]
 */
async function show(path, changes, place = workspace) {
  const usual = { extras: new Map(), view: /** @type {const} */ ('paper'), scheme: /** @type {const} */ ('light'), paper: null };
  const places = { pdf: null, slides: null, pictures: null, ranges: [], mostPictures: 20, pictureWidth: 900 };
  const window = { width: 1280, height: 800, isPhone: false };
  return press.run({ page: { path }, ...usual, ...places, window, ...changes }, { workspace: place, owner: 'gallery', signal });
}

/**
 * Makes a PowerPoint file or a Word document of a page.
 * @param {string} page
 * @param {string} path
 */
async function convert(page, path) {
  const call = { owner: 'gallery', signal, readFile: (/** @type {string} */ name) => workspace.read(name) };
  const isWord = path.endsWith('.docx');
  if (!isWord) await show(page, { slides: { data: `${path}-data/deck`, html: null } });
  const { files } = isWord
    ? await generators.make('word', { path, page, author: '' }, call)
    : await generators.make('pageDeck', { path, data: `${path}-data/deck.json` }, call);
  await workspace.write(path, files[0]?.bytes ?? '');
}

/** @type {Map<string, ReturnType<typeof playBrief>>} */
const played = new Map();

/** @param {BriefPart} part */
async function drawBrief({ brief, file, pages, view = 'paper' }) {
  const own = join(folder, 'briefs', brief);
  const playing = played.get(brief) ?? playBrief({ tools }, brief, own, (line) => console.error(line));
  played.set(brief, playing);
  const { workspace: place } = await playing;
  const ranges = pages.map((number) => /** @type {[number, number]} */ ([number, number]));
  const window = view === 'phone' ? { window: { width: 390, height: 844, isPhone: true } } : {};
  const looks = {
    view: view === 'paper' ? view : /** @type {const} */ ('screen'),
    pictures: `look-${file}-${view}`,
    ranges,
    ...window,
  };
  const report = await show(file, looks, place);
  for (const { page, element, text } of report.findings) console.error(`${brief}, page ${page}: ${element} ${text}`);
  return report.pictures.map(({ path }) => join(own, path));
}

/** @param {ExamplePart} part */
async function draw({ example, theme, scheme, pages, office: form }) {
  const name = [example, theme, scheme, form ?? 'page'].join('-');
  const html = await readFile(join(root, 'skills/design-kit/examples', `${example}.html`), 'utf8');
  await writeFile(
    join(folder, 'examples', `${name}.html`),
    html.replace(/data-theme="\w+"/, `data-theme="${theme}" data-scheme="${scheme}"`),
  );
  const file = `examples/${name}.html`;
  if (form) await convert(file, `${name}.${form}`);
  const report = await show(form ? `${name}.${form}` : file, {
    pictures: name,
    ranges: pages.map((number) => [number, number]),
  });
  for (const { page, element, text } of report.findings) console.error(`${name}, page ${page}: ${element} ${text}`);
  return report.pictures.map(({ path }) => join(folder, path));
}

/**
 * A picture of this width, at most as high as a page of paper: of pages that go on, their beginning.
 * @param {string} file
 * @param {number} width
 */
async function shrink(file, width) {
  const whole = await sharp(file).resize({ width }).png().toBuffer({ resolveWithObject: true });
  const height = Math.round(width * Math.SQRT2) + 1;
  if (whole.info.height <= height) return whole;
  return sharp(whole.data).extract({ left: 0, top: 0, width, height }).png().toBuffer({ resolveWithObject: true });
}

const [, , only] = process.argv;
for (const { file, columns, width, parts } of sheets.filter((sheet) => only === undefined || sheet.file === only)) {
  const files = [];
  for (const part of parts) files.push(...(await ('brief' in part ? drawBrief(part) : draw(part))));
  const pictures = await Promise.all(files.map((each) => shrink(each, width)));
  const height = Math.max(...pictures.map(({ info }) => info.height));
  const rows = Math.ceil(pictures.length / columns);
  const size = { width: gap + columns * (width + gap), height: gap + rows * (height + gap) };
  const placed = pictures.map(({ data }, at) => ({
    input: data,
    left: gap + (at % columns) * (width + gap),
    top: gap + Math.floor(at / columns) * (height + gap),
  }));
  const canvas = sharp({ create: { ...size, channels: 3, background: '#8a8f98' } }).composite(placed);
  await canvas.png({ palette: true, quality: 88, effort: 10 }).toFile(join(target, file));
  console.log(join('docs/gallery', file));
}
await rm(folder, { recursive: true });
await sandbox.close();
