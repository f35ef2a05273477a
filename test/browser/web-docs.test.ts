import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCutOff } from './page-checks.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;

beforeAll(async () => {
  web = await WebUnderTest.startEmpty();
  page = await web.open('/docs');
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

describe('the documentation in a browser', () => {
  it('needs no sign-in, and shows its sections beside the page', async () => {
    await page.waitForURL('**/docs/');
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Accounts' }).click();
    await page.waitForURL('**/docs/operate/accounts.html');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(await page.locator('[aria-current=page]').textContent()).toBe('Accounts');
    await examine(page, 'docs-page');
    expect(await findCutOff(page)).toEqual([]);
  });

  it('finds a part by its words with the keyboard alone, in an index that is loaded with the first letter', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('dismiss lock themselves out');
    const results = page.getByRole('region', { name: 'Search results' });
    await results.getByRole('link', { name: 'Accounts › Owners' }).waitFor();
    await examine(page, 'docs-search');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operate/accounts.html#owners');
    await page.getByRole('heading', { name: 'Owners' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('xyzzy plugh');
    await results.getByText('Nothing found for “xyzzy plugh”.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#owners');
  });

  it('copies code', async () => {
    await web.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('errand account create');
  });

  it('leads back from an address where there is no page', async () => {
    await page.goto(`${web.base}/docs/no/such/page`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await examine(page, 'docs-missing');
    await page.getByRole('main').getByRole('link', { name: 'documentation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
