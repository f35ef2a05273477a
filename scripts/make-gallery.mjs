import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { systemClock } from '../packages/base/src/clock.ts';
import { findBrowser } from '../packages/sandbox/src/programs/find-programs.ts';
import { openSandbox } from '../packages/sandbox/src/open-sandbox.ts';
import { createPress } from '../packages/sandbox/src/press/press.ts';

// Makes the pictures of docs/gallery from the examples of the design kit, with the press that agents use.

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/gallery');
const gap = 12;

/** @typedef {{ file: string, columns: number, width: number, parts: { example: string, theme: string, scheme: string, pages: number[] }[] }} Sheet */

const themes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'];

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
    columns: 3,
    width: 560,
    parts: [{ example: 'deck', theme: 'deck', scheme: 'light', pages: [1, 2, 3, 4, 5, 7] }],
  },
  {
    file: 'themes.png',
    columns: 4,
    width: 400,
    parts: themes.map((theme) => ({ example: 'deck', theme, scheme: theme === 'keynote' ? 'dark' : 'light', pages: [1, 3] })),
  },
];

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
if (!sandbox || chromium === null) {
  console.error('The gallery needs the sandbox and Chromium.');
  process.exit(1);
}
const press = createPress({ sandbox, programs: { chromium, office: null } });
const folder = await mkdtemp(join(tmpdir(), 'errand-gallery-'));
await cp(join(root, 'skills/design-kit/kit'), join(folder, 'kit'), { recursive: true });
await mkdir(join(folder, 'examples'));
await mkdir(target, { recursive: true });

/** @param {Sheet['parts'][number]} part */
async function draw({ example, theme, scheme, pages }) {
  const name = `${example}-${theme}-${scheme}`;
  const html = await readFile(join(root, 'skills/design-kit/examples', `${example}.html`), 'utf8');
  await writeFile(
    join(folder, 'examples', `${name}.html`),
    html.replace(/data-theme="\w+"/, `data-theme="${theme}" data-scheme="${scheme}"`),
  );
  const report = await press.run(
    {
      page: { path: `examples/${name}.html` },
      extras: new Map(),
      view: 'paper',
      scheme: 'light',
      paper: null,
      pdf: null,
      slides: null,
      window: { width: 1280, height: 800, isPhone: false },
      pictures: name,
      mostPictures: 20,
      pictureWidth: 900,
      ranges: pages.map((page) => [page, page]),
    },
    { workspace: { root: folder }, owner: 'gallery', signal: new AbortController().signal },
  );
  for (const { page, element, text } of report.findings) console.error(`${name}, page ${page}: ${element} ${text}`);
  return report.pictures.map(({ path }) => join(folder, path));
}

for (const { file, columns, width, parts } of sheets) {
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
