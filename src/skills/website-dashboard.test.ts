import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestBrowser } from '../../test/browser/chromium.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';

const scaffold = fileURLToPath(new URL('../../skills/website/scripts/scaffold.mjs', import.meta.url));

let browser: TestBrowser;
let folder: string;

beforeAll(async () => {
  browser = await TestBrowser.open();
});

beforeEach(() => {
  folder = createFolder('dashboard');
});

afterEach(() => removeFolder(folder));

afterAll(() => browser.end());

/** Makes the dashboard of a table, and opens it. */
async function open(csv: string, { before = '', data = (made: string) => made } = {}) {
  writeFileSync(join(folder, 'd.csv'), csv);
  execFileSync(process.execPath, [scaffold, 'site', '--kind', 'dashboard', '--data', 'd.csv'], { cwd: folder });
  const script = join(folder, 'site/data.js');
  writeFileSync(script, data(readFileSync(script, 'utf8')));
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  if (before !== '') await page.addInitScript(before);
  await page.goto(pathToFileURL(join(folder, 'site/index.html')).href);
  return { page, errors };
}

const cells = (page: Page) =>
  page.locator('#table tbody tr').evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));

const figures = (page: Page) => page.locator('#figures > div').allInnerTexts();

describe('the dashboard of a website', () => {
  it('shows each value as the file has it, and takes codes for text', async () => {
    const head = 'Rate,Price,Year,Order,Phone,Share';
    const rows = ['0.034,12.49,2025,12345678901234567890,+491701234567,0.00000002', '0.5,12000.5,2024,7,+4930123456,1.5'];
    const { page, errors } = await open(`${head}\n${rows.join('\n')}\n`);
    expect((await cells(page)).toSorted()).toEqual([
      ['0.034', '12.49', '2025', '12345678901234567890', '+491701234567', '0.00000002'],
      ['0.500', '12,000.50', '2024', '7', '+4930123456', '1.5'],
    ]);
    expect((await figures(page)).join()).not.toMatch(/Phone|Order/);
    expect(errors).toEqual([]);
  });

  it('rounds no small figure to nothing', async () => {
    const { page } = await open('Name,Rate\na,0.034\nb,0.012\n');
    expect((await figures(page)).map((text) => text.split('\n'))).toContainEqual(['Average: Rate', '0.023']);
  });
});
