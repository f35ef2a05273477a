import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  it('shows tables of more rows than a call takes arguments', async () => {
    const rows = Array.from({ length: 140_000 }, (_, at) => `${at},2025-0${1 + (at % 9)}-01`);
    const { page, errors } = await open(`Id,Day\n${rows.join('\n')}\n`);
    expect(errors).toEqual([]);
    expect(await page.locator('#table tbody tr').count()).toBe(200);
    expect(await page.locator('#line polyline').count()).toBe(1);
  });

  it('names few periods, whatever years its dates have', async () => {
    for (const [first, last, title, names] of [
      ['2025-03-05', '2025-03-20', 'By week', /: Mar 3, 2025: 1; Mar 10, 2025: 0; Mar 17, 2025: 2$/],
      ['2024-12-05', '2025-06-20', 'By month', /: Dec 24: 1; Jan 25: 0; .*; Jun 25: 2$/],
      ['1990-01-01', '2025-03-20', 'By year', /: 1990: 1; 1991: 0; .*; 2025: 2$/],
      ['1900-01-01', '2025-03-20', 'By decade', /: 1900: 1; 1910: 0; .*; 2020: 2$/],
      ['0001-01-01', '9999-12-31', 'By century', /: 0: 1; 100: 0; .*; 9900: 2$/],
    ] as const) {
      rmSync(join(folder, 'site'), { recursive: true, force: true });
      const { page, errors } = await open(`Day,Sum\n${first},1\n${last},2\n`);
      expect(errors).toEqual([]);
      expect(await page.locator('#line-title').textContent()).toBe(`Sum: ${title}`);
      const spoken = (await page.locator('#line svg').getAttribute('aria-label'))?.replace(/^Sum: By [a-z]+\. /, ': ') ?? '';
      expect(spoken).toMatch(names);
      expect(spoken.split(';').length).toBeLessThanOrEqual(121);
    }
  });

  it('works in browsers that cannot group by themselves, and with dates that no calendar has', async () => {
    const csv = 'Day,Kind,Sum\n2025-03-05,a,1\n2025-03-06,b,2\n';
    const data = (made: string) => made.replace('2025-03-06', '2025-13-45');
    const { page, errors } = await open(csv, { before: 'delete Map.groupBy; delete Object.groupBy', data });
    expect(errors).toEqual([]);
    expect(await page.locator('#bars li').allInnerTexts()).toHaveLength(2);
    expect(await cells(page)).toEqual([
      ['Mar 5, 2025', 'a', '1'],
      ['2025-13-45', 'b', '2'],
    ]);
  });

  it('takes days that no calendar has for text', async () => {
    const { page } = await open('Day,Sum\n2025-02-28,1\n2025-02-30,2\n');
    expect(await cells(page)).toEqual([
      ['2025-02-28', '1'],
      ['2025-02-30', '2'],
    ]);
  });

  it('says how many groups have no bar, and marks bars below zero', async () => {
    const rows = Array.from({ length: 15 }, (_, at) => `g${at},${at === 14 ? -100 : 15 - at}`);
    const { page, errors } = await open(`Group,Sum\n${rows.join('\n')}\n`);
    const lines = (await page.locator('#bars li').allInnerTexts()).map((text) => text.split(/\s*\n\s*/).filter(Boolean));
    expect(lines).toHaveLength(13);
    expect(lines.slice(10)).toEqual([
      ['g10', '5'],
      ['g14', '-100'],
      ['3 more', '9'],
    ]);
    expect(await page.locator('#bars i.below').count()).toBe(1);
    const ground = await page.evaluate<string>(`getComputedStyle(document.querySelector('#bars .below')).backgroundImage`);
    expect(ground).toContain('repeating-linear-gradient');
    expect(errors).toEqual([]);
  });
});
