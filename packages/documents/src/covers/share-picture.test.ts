import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createJobThreads } from '@errand/base/threads/job-thread.ts';
import { createGenerators } from '../generators.ts';

const file = new URL('../generator-worker.ts', import.meta.url);
const threads = createJobThreads({ file, clock: systemClock, subject: 'this', deadlineMs: 30_000 });
const generators = createGenerators(systemClock, threads);
const { signal } = new AbortController();

afterAll(() => threads.close());

async function draw(title: string, cover: Uint8Array | null = null): Promise<Buffer> {
  const call = { owner: 'a1', readFile: () => Promise.resolve(cover ?? new Uint8Array()), signal };
  const { files } = await generators.make('sharePicture', { title, cover: cover && 'cover.png' }, call);
  return Buffer.from(files[0]?.bytes ?? []);
}

const blue = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();

/** How many pixels of the right and the left half are blue, and how many of the words' color. */
async function countPixels(png: Uint8Array): Promise<{ blueLeft: number; blueRight: number; dark: number }> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = { blueLeft: 0, blueRight: 0, dark: 0 };
  for (let at = 0; at < data.length; at += 3) {
    const [red = 0, green = 0, bluish = 0] = [data[at], data[at + 1], data[at + 2]];
    const isRight = (at / 3) % info.width >= info.width / 2;
    if (red < 20 && green < 20 && bluish > 230) found[isRight ? 'blueRight' : 'blueLeft'] += 1;
    if (red < 60 && green < 60 && bluish < 60) found.dark += 1;
  }
  return found;
}

it('a picture for link previews is a PNG of 1200 by 630 pixels, whatever the title', async () => {
  const titles = [
    'Sales of May',
    '',
    '"><script>alert(1)</script></text></svg><svg> & ]]>',
    'word '.repeat(60),
    'x'.repeat(400),
    '五月の売上をまとめた報告書、'.repeat(12),
    'مبيعات شهر مايو',
    '👨‍👩‍👧‍👦 \ud800 \u0000 \u202e',
  ];
  for (const title of titles) {
    const { format, width, height } = await sharp(await draw(title)).metadata();
    expect([title, format, width, height]).toEqual([title, 'png', 1200, 630]);
  }
});

it('shows the title as words, and markup in it as text', async () => {
  const [none, words, markup] = await Promise.all([draw(''), draw('Sales of May'), draw('<rect width="1200" height="630"/>')]);
  const [dark, darker, marked] = await Promise.all([none, words, markup].map(countPixels));
  expect(dark?.dark).toBe(0);
  expect(darker?.dark).toBeGreaterThan(1_000);
  expect(marked?.dark).toBeGreaterThan(1_000);
  expect(marked?.dark).toBeLessThan(100_000);
});

it('shows the picture of a result whole, on the right, beside the title', async () => {
  for (const [width, height] of [
    [640, 400],
    [282, 400],
    [30, 3],
  ] as const) {
    const { blueLeft, blueRight, dark } = await countPixels(await draw('Sales of May', await blue(width, height)));
    expect(blueLeft).toBe(0);
    const scale = 430 / Math.max(width, height);
    expect(blueRight).toBeCloseTo(Math.round(width * scale) * Math.round(height * scale), -4);
    expect(dark).toBeGreaterThan(500);
  }
});
