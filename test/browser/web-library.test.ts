import { unzipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { examine, WebUnderTest } from './web-under-test.ts';

const files = Array.from({ length: 70 }, (_, at) => ({
  filename: `note-${at + 1}.md`,
  type: 'text/plain',
  content: `note ${at + 1}`,
}));

it('the library collects what tasks made, and searches, favorites, renames, and downloads it', async () => {
  await using web = await WebUnderTest.start();
  const page = await web.open('/library');
  await page.getByText('No files yet').waitFor();
  await examine(page, 'library-empty');
  const taskId = await web.runTask(
    [
      ...files.map(({ filename }) => `deliver attachments/${filename}`),
      'deliver attachments/sales.csv',
      'chart sales.png from attachments/sales.csv titled Sales',
      'slides deck.html with Growth; It grows',
      'write site/index.html with <!doctype html><title>Shop</title><h1>Welcome</h1>',
      'site site',
    ],
    [...files, { filename: 'sales.csv', type: 'text/csv', content: 'month,sales\nMay,3\nJune,5\n' }],
  );
  await page.reload();
  const links = page.getByRole('main').getByRole('link');
  await page.getByRole('link', { name: 'sales.png' }).waitFor();
  // The cover is made by a worker, a moment after the picture.
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('link', { name: 'sales.png' }).waitFor();
        return page.getByRole('main').locator('img').count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  await examine(page, 'library-cards');
  expect(await links.count()).toBeLessThan(200);
  await page.getByRole('link', { name: 'note-1.md', exact: true }).waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End');
        return page.getByRole('link', { name: 'note-1.md', exact: true }).count();
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'List view' }).click();
  await page.getByRole('searchbox').fill('sales');
  await page.getByRole('link', { name: 'note-70.md' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toContain('query=sales');
  await page.getByRole('button', { name: 'Favorite: sales.csv' }).click();
  await page.getByRole('button', { name: 'Actions for sales.csv' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Sales of May');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Sales of May' }).waitFor();
  await examine(page, 'library-list');
  await page.getByRole('checkbox', { name: 'Select Sales of May' }).check();
  await page.getByRole('checkbox', { name: 'Select sales.png' }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as ZIP' }).click(),
  ]);
  expect(Object.keys(unzipSync(await readFile(await download.path()))).toSorted()).toEqual(['sales.csv', 'sales.png']);
  await page.goto(`${web.base}/library?favorite=true`);
  await page.getByRole('link', { name: 'Sales of May' }).waitFor();
  expect(await page.getByRole('main').getByRole('article').count()).toBe(1);
  await page.getByRole('link', { name: 'Sales of May' }).click();
  await page.getByRole('dialog').getByRole('cell', { name: 'June' }).waitFor();
  await page.reload();
  await page.getByRole('dialog').getByRole('cell', { name: 'June' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(`${web.base}/library?type=website`);
  await page.getByRole('article').getByRole('link').last().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('only you can see it').waitFor();
  await dialog.getByRole('button', { name: 'Open as private draft' }).click();
  await dialog.frameLocator('iframe').getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(await dialog.getByLabel('Who can see this site').inputValue()).toBe('private');
  await examine(page, 'library-site');
  await dialog.getByLabel('Who can see this site').selectOption('public');
  // Nothing becomes public by one press.
  const question = page.getByRole('dialog', { name: 'Publish this website?' });
  await question.getByText('Anyone with the link will be able to open it.').waitFor();
  await question.getByRole('button', { name: 'Publish' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Who can see this site').inputValue()).toBe('public');
  await dialog.getByLabel('Who can see this site').selectOption('private');
  await page.goto(`${web.base}/app/${taskId}`);
  const bench = page.getByRole('complementary', { name: 'Workbench' });
  await bench.getByRole('tab', { name: 'All files' }).click();
  await bench
    .getByRole('button', { name: /^sales\.csv/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('cell', { name: 'June' }).waitFor();
  await page.keyboard.press('Escape');
  await bench.getByRole('tablist', { name: 'Deliverables' }).getByRole('tab').nth(-2).click();
  await bench.getByText('Only you').waitFor({ state: 'attached' });
  expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
});
