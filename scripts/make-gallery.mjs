import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { systemClock } from '../packages/base/src/clock.ts';
import { createGenerators } from '../packages/documents/src/generators.ts';
import { findBrowser, findOffice } from '../packages/sandbox/src/programs/find-programs.ts';
import { openSandbox } from '../packages/sandbox/src/open-sandbox.ts';
import { openWorkspace } from '../packages/sandbox/src/workspace/workspace-folder.ts';
import { createPress } from '../packages/sandbox/src/press/press.ts';

// Makes the pictures of docs/gallery from the examples of the design kit, with the press that agents use.

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/gallery');
const gap = 12;

/** @typedef {{ file: string, columns: number, width: number, parts: { example: string, theme: string, scheme: string, pages: number[], office?: 'pptx' | 'docx' }[] }} Sheet */

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
    file: 'editorial-dark.png',
    columns: 4,
    width: 440,
    parts: [{ example: 'report', theme: 'editorial', scheme: 'dark', pages: [1, 3, 4, 5] }],
  },
  {
    file: 'deck.png',
    columns: 5,
    width: 340,
    parts: [{ example: 'deck', theme: 'deck', scheme: 'light', pages: tenSlides }],
  },
  {
    file: 'powerpoint.png',
    columns: 5,
    width: 340,
    parts: [
      { example: 'deck', theme: 'deck', scheme: 'light', pages: tenSlides, office: 'pptx' },
      { example: 'deck', theme: 'editorial', scheme: 'dark', pages: tenSlides, office: 'pptx' },
    ],
  },
  {
    file: 'word.png',
    columns: 4,
    width: 440,
    parts: [
      { example: 'report', theme: 'report', scheme: 'light', pages: [1, 2, 3, 4], office: 'docx' },
      { example: 'report', theme: 'deck', scheme: 'light', pages: [1, 2, 3, 4], office: 'docx' },
    ],
  },
  {
    file: 'themes.png',
    columns: 4,
    width: 400,
    parts: themes.map((theme) => ({ example: 'deck', theme, scheme: theme === 'keynote' ? 'dark' : 'light', pages: [1, 4] })),
  },
];

const { sandbox } = await openSandbox({ clock: systemClock });
const [chromium, office] = [findBrowser(), findOffice()];
if (!sandbox || chromium === null || office === null) {
  console.error('The gallery needs the sandbox, Chromium, and LibreOffice.');
  process.exit(1);
}
const press = createPress({ sandbox, programs: { chromium, office } });
const generators = createGenerators(systemClock);
const signal = new AbortController().signal;
const folder = await mkdtemp(join(tmpdir(), 'errand-gallery-'));
await cp(join(root, 'skills/design-kit/kit'), join(folder, 'kit'), { recursive: true });
await mkdir(join(folder, 'examples'));
await mkdir(target, { recursive: true });

const workspace = openWorkspace(folder);

/**
 * Shows a page or an office file.
 * @param {string} path
 * @param {Partial<import('../packages/sandbox/src/press/press.ts').PressOrder>} changes
 */
async function show(path, changes) {
  const usual = { extras: new Map(), view: /** @type {const} */ ('paper'), scheme: /** @type {const} */ ('light'), paper: null };
  const places = { pdf: null, slides: null, pictures: null, ranges: [], mostPictures: 20, pictureWidth: 900 };
  const window = { width: 1280, height: 800, isPhone: false };
  return press.run({ page: { path }, ...usual, ...places, window, ...changes }, { workspace, owner: 'gallery', signal });
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

/** @param {Sheet['parts'][number]} part */
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

const [, , only] = process.argv;
for (const { file, columns, width, parts } of sheets.filter((sheet) => only === undefined || sheet.file === only)) {
  const files = [];
  for (const part of parts) files.push(...(await draw(part)));
  const pictures = await Promise.all(
    files.map((each) => sharp(each).resize({ width }).png().toBuffer({ resolveWithObject: true })),
  );
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
