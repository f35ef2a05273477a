import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeSamples } from './preview-samples.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

interface Look {
  name: string;
  /** What shows that it is shown. */
  see(page: Page): Promise<unknown>;
}

/** Slides as LibreOffice prints them, turned by keys and by their small pictures. */
async function seePresentation(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const words = dialog.locator('.pdf-text');
  await words.getByText('Harbour').waitFor();
  await page.keyboard.press('ArrowRight');
  await words.getByText('Growth').waitFor();
  await page.keyboard.press('End');
  await words.getByText('Outlook').waitFor();
  await dialog.getByRole('button', { name: '1 of 3' }).click();
  await words.getByText('Harbour').waitFor();
  // Speaker notes appear on no slide; the browser reads them from the file.
  await dialog.getByRole('button', { name: 'Notes' }).click();
  await dialog.getByText('Notes of Harbour').waitFor();
}

/** Cells in their formats, one over four columns, and the formula of the one that is chosen. */
async function seeBudget(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('cell', { name: '($310.50)', exact: true }).waitFor();
  await dialog.getByRole('cell', { name: '15 Mar 2026' }).waitFor();
  const title = await dialog.getByRole('cell', { name: 'Budget 2026' }).boundingBox();
  expect(title?.width).toBeGreaterThan(400);
  await dialog.getByText('1 chart isn’t shown').waitFor();
  await dialog.getByRole('cell', { name: '$17,967.75' }).click();
  const bar = dialog.getByLabel('Cell value');
  expect(await bar.textContent()).toBe('=SUM(B3:B7)');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  expect(await bar.textContent()).toBe('0.35');
}

const looks: Look[] = [
  { name: 'notes.md', see: (page) => page.getByRole('heading', { name: 'Notes', exact: true }).waitFor() },
  { name: 'program.ts', see: (page) => page.locator('.hljs-keyword', { hasText: 'export' }).waitFor() },
  { name: 'long.log', see: (page) => page.getByText('5000 lines').waitFor() },
  { name: 'data.json', see: (page) => page.getByText('"Errand"').waitFor() },
  { name: 'table.csv', see: (page) => page.getByRole('cell', { name: 'a; b' }).first().waitFor() },
  { name: 'book.xlsx', see: (page) => page.getByRole('tab', { name: 'Notes' }).waitFor() },
  { name: 'book.ods', see: (page) => page.getByRole('cell', { name: 'open' }).waitFor() },
  { name: 'letter.docx', see: (page) => page.frameLocator('iframe').getByText('Dear reader').first().waitFor() },
  { name: 'budget.xlsx', see: seeBudget },
  { name: 'loose.pptx', see: seePresentation },
  { name: 'old.rtf', see: (page) => page.locator('.pdf-text', { hasText: 'An old letter' }).waitFor() },
  { name: 'drawing.svg', see: (page) => page.getByText('400 × 300').waitFor() },
  { name: 'page.html', see: (page) => page.frameLocator('iframe').getByRole('heading', { name: 'Still' }).waitFor() },
  { name: 'tone.wav', see: (page) => page.locator('audio').waitFor() },
  { name: 'bundle.zip', see: (page) => page.getByText('folder/a.txt').waitFor() },
  { name: 'model.bin', see: (page) => page.getByText('No preview for this file type').waitFor() },
  { name: 'broken.xlsx', see: (page) => page.getByText('it may be damaged').waitFor() },
  { name: 'report.pdf', see: (page) => page.locator('.pdf-text', { hasText: 'Quarterly' }).waitFor() },
  {
    name: 'deck.html',
    see: (page) => page.locator('iframe').first().contentFrame().getByText('Growth', { exact: true }).waitFor(),
  },
];

async function lookAt(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor();
}

it('files of every kind are shown; those that can run code, in frames with an opaque origin', async () => {
  await using web = await WebUnderTest.start();
  const samples = await makeSamples();
  await web.runTask(
    [
      ...samples.map(({ filename }) => `deliver attachments/${filename}`),
      'document report.pdf with # Quarterly report — and what comes next',
      'slides deck.html with Growth; It grows; And grows',
    ],
    samples,
  );
  const page = await web.open('/library?view=list');
  await page.getByRole('link', { name: 'notes.md', exact: true }).waitFor();
  for (const { name, see } of looks) {
    await lookAt(page, name);
    await see(page);
    await examine(page, `preview-${name}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  // Without an office program the service says so, and slides are shown by their words and pictures.
  await page.route('**/files/loose.pptx?*as=pdf', (route) =>
    route.fulfill({ status: 412, headers: { 'access-control-allow-origin': '*' }, body: '' }),
  );
  await page.reload();
  await lookAt(page, 'loose.pptx');
  const slides = page.getByRole('dialog');
  await slides.getByText('doesn’t have LibreOffice').waitFor();
  await slides.getByText('Harbour').first().waitFor();
  await slides.getByRole('button', { name: 'Notes' }).click();
  await slides.getByText('Notes of Harbour').waitFor();
  await page.keyboard.press('ArrowRight');
  await slides.getByText('Notes of Growth').waitFor();
  await examine(page, 'preview-drawn-slides');
  await page.keyboard.press('Escape');
  // An address that is over is made anew.
  const refusal = { status: 403, headers: { 'access-control-allow-origin': '*' }, body: '' };
  await page.route(`${web.service.contentUrl}/files/late.txt?*`, (route) => route.fulfill(refusal), { times: 1 });
  await lookAt(page, 'late.txt');
  await page.getByRole('button', { name: 'Refresh link' }).click();
  await page.getByText('it came late').waitFor();
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
