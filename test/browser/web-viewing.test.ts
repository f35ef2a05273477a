import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeWave } from './wave-file.ts';
import { type SampleFile, WebUnderTest } from './web-under-test.ts';

/** A minute of a tone that gets higher. */
const makeLongTone = () => makeWave(60, (second) => Math.sin(8 * second * second));

/** A film of three seconds that this browser records of a canvas. */
async function recordFilm(web: WebUnderTest): Promise<Buffer> {
  const page = await (await web.browser.newContext()).newPage();
  const film = await page.evaluate<string>(`new Promise((resolve) => {
    const canvas = document.createElement('canvas');
    const brush = canvas.getContext('2d');
    let step = 0;
    const timer = setInterval(() => { brush.fillStyle = ['#2f5d50', '#f4efe6'][step++ % 2]; brush.fillRect(0, 0, 300, 150); }, 40);
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = async () => {
      clearInterval(timer);
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      resolve(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
    };
    recorder.start();
    setTimeout(() => recorder.stop(), 3000);
  })`);
  await page.context().close();
  return Buffer.from(film, 'base64');
}

const text = (filename: string, content: string | Uint8Array): SampleFile => ({
  filename,
  type: 'application/octet-stream',
  content,
});

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="4000"><rect width="6000" height="4000" fill="#2f5d50"/><circle cx="5900" cy="3900" r="80" fill="#fff"/></svg>`;
const codeLines = Array.from({ length: 50_000 }, (_, line) => `let value${line + 1} = ${line};`).join('\n');
const csvRows = ['Name,Amount,Note', ...Array.from({ length: 100_000 }, (_, row) => `Item ${row + 1},${row},"x, y"`)].join('\n');
const tree = { list: Array.from({ length: 3000 }, (_, at) => ({ at, name: `item ${at}` })) };

/** A file that is looked at in front of the library. */
async function lookAt(page: Page, name: string) {
  await page.getByRole('link', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** What a film or a recording says of itself. */
const facts = (kind: string) =>
  `(() => { const it = document.querySelector('${kind}'); return [it.readyState, it.duration, it.currentTime]; })()`;

/** Plays, and goes to a place that was not loaded before. */
async function seePlaying(page: Page, kind: 'audio' | 'video', to: number): Promise<void> {
  await page.locator(kind).waitFor();
  await expect.poll(async () => (await page.evaluate<number[]>(facts(kind)))[0]).toBeGreaterThanOrEqual(2);
  await page.evaluate(`document.querySelector('${kind}').currentTime = ${to}`);
  await expect.poll(async () => (await page.evaluate<number[]>(facts(kind)))[2]).toBeCloseTo(to, 0);
  await page.evaluate(`(() => { const it = document.querySelector('${kind}'); it.muted = true; return it.play(); })()`);
  await expect.poll(async () => (await page.evaluate<number[]>(facts(kind)))[2]).toBeGreaterThan(to);
}

async function seePages(page: Page): Promise<void> {
  const dialog = await lookAt(page, 'long.pdf');
  const number = dialog.getByRole('textbox', { name: 'Page' });
  await dialog.locator('.pdf-text', { hasText: 'Chapter 1' }).first().waitFor();
  expect(await dialog.locator('.pdf-text span').count()).toBeLessThan(2000);
  const count = Number(/\d+/.exec((await dialog.getByText(/^of \d+$/).textContent()) ?? '')?.[0]);
  expect(count).toBeGreaterThan(20);
  await number.fill(String(count));
  await number.press('Enter');
  await dialog.locator(`[data-page="${count}"] .pdf-text span`).first().waitFor();
  await expect.poll(() => number.inputValue()).toBe(String(count));
  // Larger, the same page is still looked at.
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => number.inputValue()).toBe(String(count));
  await dialog.getByRole('button', { name: 'Fit' }).click();
  // Far from there, nothing is drawn any more.
  await expect.poll(() => dialog.locator('[data-page="1"] .pdf-text span').count()).toBe(0);
  await number.fill('1');
  await number.press('Enter');
  const words = dialog.locator('[data-page="1"] .pdf-text span', { hasText: 'Chapter 1' }).first();
  await words.selectText();
  expect(await page.evaluate('getSelection().toString()')).toContain('Chapter 1');
  await close(page);
}

async function seeLargePicture(page: Page): Promise<void> {
  const dialog = await lookAt(page, 'large.svg');
  await dialog.getByText('6,000 × 4,000').waitFor();
  for (let step = 0; step < 2; step++) await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await dialog.getByText('200%').waitFor();
  const scroller = dialog.getByRole('group', { name: 'large.svg' });
  await scroller.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate<number>('document.activeElement.scrollTop')).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Fit' }).click();
  await close(page);
}

async function seeLongTexts(page: Page): Promise<void> {
  let dialog = await lookAt(page, 'long.ts');
  await dialog.getByText(/^5\d{4} lines|^50000 lines/).waitFor();
  const region = dialog.getByRole('region', { name: 'long.ts', exact: true });
  await region.focus();
  await page.keyboard.press('End');
  await dialog.getByText('let value50000 = 49999;').waitFor();
  expect(await region.locator('code').count()).toBeLessThan(300);
  await close(page);
  dialog = await lookAt(page, 'rows.csv');
  await dialog.getByText('Showing the first part').waitFor();
  await dialog.getByRole('cell', { name: 'Item 1', exact: true }).waitFor();
  const table = dialog.getByRole('region', { name: 'rows.csv', exact: true });
  await table.focus();
  await page.keyboard.press('End');
  await dialog.getByRole('cell', { name: 'Item 49999', exact: true }).waitFor();
  // The names of the columns stay.
  await dialog.getByRole('cell', { name: 'Amount', exact: true }).waitFor();
  expect(await table.getByRole('cell').count()).toBeLessThan(600);
  await close(page);
  dialog = await lookAt(page, 'tree.json');
  await dialog.getByText('list', { exact: true }).first().click();
  await dialog.getByRole('button', { name: /^Show more/ }).waitFor();
  await close(page);
}

it('long and large files are loaded piece by piece, and can be played, paged, enlarged, and scrolled', async () => {
  await using web = await WebUnderTest.start();
  const chapters = Array.from(
    { length: 120 },
    (_, at) => `# Chapter ${at + 1}\n\n${'All of it grew, month by month. '.repeat(40)}`,
  );
  const samples = [
    text('film.webm', await recordFilm(web)),
    text('minute.wav', makeLongTone()),
    text('large.svg', picture),
    text('long.ts', codeLines),
    text('rows.csv', csvRows),
    text('tree.json', JSON.stringify(tree)),
    text('unknown.xyz', Buffer.of(0, 1, 2, 3)),
    text('gone.txt', 'it will be gone'),
    text('chapters.md', chapters.join('\n\n')),
  ];
  await web.runTask(
    [...samples.map(({ filename }) => `deliver attachments/${filename}`), 'document long.pdf from attachments/chapters.md'],
    samples,
  );
  const page = await web.open('/library?view=list');
  const ranges: string[] = [];
  page.on('request', (request) => {
    const { range } = request.headers();
    if (range !== undefined) ranges.push(range);
  });
  await lookAt(page, 'film.webm');
  await seePlaying(page, 'video', 1);
  await close(page);
  await lookAt(page, 'minute.wav');
  await seePlaying(page, 'audio', 50);
  await close(page);
  expect(ranges.length).toBeGreaterThan(1);
  await seeLargePicture(page);
  await seeLongTexts(page);
  await seePages(page);
  const unknown = await lookAt(page, 'unknown.xyz');
  await unknown.getByText('No preview for this file type').waitFor();
  await close(page);
  // One that is gone meanwhile says so, and can be closed like any other.
  const answer = (status: number) => ({ status, headers: { 'access-control-allow-origin': '*' }, body: '' });
  await page.route('**/files/gone.txt?*', (route) => route.fulfill(answer(404)));
  await (await lookAt(page, 'gone.txt')).getByText('This file no longer exists.').waitFor();
  await close(page);
  // A URL that expires during playback is renewed, and playback resumes where it was.
  await lookAt(page, 'minute.wav');
  await seePlaying(page, 'audio', 30);
  const over = await page.evaluate<string>("document.querySelector('audio').src");
  await page.route(
    ({ href }) => href === over,
    (route) => route.fulfill(answer(403)),
  );
  await page.evaluate("(() => { const it = document.querySelector('audio'); it.dispatchEvent(new Event('error')); })()");
  await expect.poll(async () => (await page.evaluate<number[]>(facts('audio')))[2]).toBeGreaterThan(29);
  await close(page);
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
