import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type PageSession, UnusablePage } from '../page-session.ts';
import { workspace } from '../page-server.ts';
import type { PressJob } from '../press-job.ts';
import { readColor } from './box-styles.ts';
import { readLayout } from './layout-tree.ts';
import type { Frame, SlideDeck } from './slide-data.ts';
import { readSlide, type TakenPicture } from './slide-reader.ts';

/** Pixels of a picture for each of the page. */
const zoom = 2;

/** The slides of a page, and what has to be photographed. */
interface Preparation {
  title: string;
  language: string;
  width: number;
  height: number;
  colors: Record<string, string>;
  fonts: SlideDeck['fonts'];
  notes: string[];
  shots: { frame: Frame; isOpaque: boolean; description: string; source: string; chart: string }[];
}

function loadScript(name: string): string {
  return readFileSync(new URL(`../page/${name}.js`, import.meta.url), 'utf8').replace(/;\s*$/, '');
}

/** Makes each slide a page; sets them in fonts that offices have if they are read as data. Writes the page as it was into one file, if asked. */
export async function prepareSlides(session: PageSession, { data, html }: NonNullable<PressJob['slides']>): Promise<Preparation> {
  const bundle = html === null ? '' : String(await session.evaluate(`(${loadScript('bundle-page')})()`));
  const options = JSON.stringify({ isForOffice: data !== null });
  const prepared = (await session.evaluate(`(${loadScript('prepare-slides')})(${options})`)) as Preparation & {
    problem?: string;
  };
  if (prepared.problem !== undefined) throw new UnusablePage(prepared.problem);
  await session.resize(Math.round(prepared.width), Math.round(prepared.height), false);
  if (html !== null) {
    await mkdir(dirname(`${workspace}/${html}`), { recursive: true });
    await writeFile(`${workspace}/${html}`, bundle);
  }
  return prepared;
}

/** Photographs every picture alone: nothing of what lies on it or around it. */
async function takePictures(session: PageSession, shots: Preparation['shots'], to: string): Promise<Map<string, TakenPicture>> {
  const taken = new Map<string, TakenPicture>();
  if (shots.length === 0) return taken;
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  await session.evaluate(`{
    const style = document.createElement('style');
    style.textContent = 'html, body { background: none !important } *, *::before, *::after { visibility: hidden !important } '
      + '[data-press-now], [data-press-now][data-press-whole] * { visibility: visible !important }';
    document.documentElement.append(style);
  }`);
  for (const [index, { frame, isOpaque, description, source, chart }] of shots.entries()) {
    await session.evaluate(`for (const one of document.querySelectorAll('[data-press-shot]'))
      one.toggleAttribute('data-press-now', one.dataset.pressShot === '${index}')`);
    const kind = isOpaque ? { format: 'jpeg', quality: 88 } : { format: 'png' };
    const { data } = await session.send('Page.captureScreenshot', {
      ...kind,
      captureBeyondViewport: true,
      clip: { ...frame, scale: zoom },
    });
    const path = `${to}-${index}.${isOpaque ? 'jpg' : 'png'}`;
    await writeFile(`${workspace}/${path}`, Buffer.from(String(data), 'base64'));
    taken.set(String(index), { path, description, source, chart });
  }
  return taken;
}

/** Reads the slides of the page, with pictures of what is no text, box, or table, into files of the workspace. */
export async function readSlides(session: PageSession, to: string, prepared: Preparation): Promise<void> {
  const { title, language, width, height, colors, fonts, notes, shots } = prepared;
  await mkdir(dirname(`${workspace}/${to}`), { recursive: true });
  const nodes = (await readLayout(session)).filter(
    ({ attributes, pseudo }) => attributes.has('data-press-slide') && pseudo === '',
  );
  const laid = [
    ...new Map(nodes.toReversed().map((node) => [node.attributes.get('data-press-slide'), node])).values(),
  ].toReversed();
  const pictures = await takePictures(session, shots, to);
  const deck: SlideDeck = {
    ...{ width, height, title, language, fonts },
    colors: Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, readColor(color)])),
    slides: laid.map((slide, at) => readSlide({ slide, notes: notes[at] ?? '', pictures })),
  };
  await writeFile(`${workspace}/${to}.json`, JSON.stringify(deck));
}
