import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PageSession } from './page-session.ts';
import { workspace } from './page-server.ts';
import type { PressJob, PressReport } from './press-job.ts';

/** Longer pages are cut at this height. */
const highestPx = 24_000;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Runs in the page: its slides, if it has any, and its whole extent. */
const readBoxes = `(() => ({
  slides: [...document.querySelectorAll('.slide')].slice(0, 400).map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  }),
  height: Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0),
}))()`;

export interface ScreenPages {
  boxes: Box[];
  /** The height of one, where the page is cut into equal parts. */
  partHeight: number;
  isCut: boolean;
}

/** Divides what a window shows into pictures: its slides, or equal parts from top to bottom. */
export async function divideScreen(session: PageSession, { window, isDrawing = false }: PressJob): Promise<ScreenPages> {
  if (isDrawing) return { boxes: [{ x: 0, y: 0, ...window }], partHeight: Infinity, isCut: false };
  const { slides, height: whole } = (await session.evaluate(readBoxes)) as { slides: Box[]; height: number };
  const shown = slides.filter(({ width, height }) => width > 50 && height > 50);
  const height = Math.min(highestPx, Math.max(whole, window.height));
  if (shown.length > 1) return { boxes: shown, partHeight: Infinity, isCut: false };
  const most = Math.round(window.width * (window.isPhone ? 3.2 : 1.25));
  const partHeight = height <= most * 1.25 ? height : most;
  const boxes: Box[] = [];
  for (let y = 0; y < height; y += partHeight) {
    boxes.push({ x: 0, y, width: window.width, height: Math.min(partHeight, height - y) });
  }
  return { boxes, partHeight, isCut: whole > highestPx };
}

export async function shootScreen(
  session: PageSession,
  { boxes }: ScreenPages,
  pages: readonly number[],
  { pictures: to, pictureWidth }: PressJob,
): Promise<PressReport['pictures']> {
  const made: PressReport['pictures'] = [];
  if (to === null) return made;
  await mkdir(dirname(`${workspace}/${to}`), { recursive: true });
  for (const page of pages) {
    const box = boxes[page - 1];
    if (!box) continue;
    const clip = { ...box, scale: pictureWidth / box.width };
    const { data } = await session.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip }, 30_000);
    await writeFile(`${workspace}/${to}-${page}.png`, Buffer.from(String(data), 'base64'));
    made.push({ path: `${to}-${page}.png`, page });
  }
  return made;
}
