import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type Step, startModelServer } from '../support/models/model-server.ts';
import { HttpListener } from './http-listener.ts';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

/** A page that an agent reads, whose answers but the last wait until the test lets them go. */
let held: ServerResponse | null = null;
const site = new HttpListener(({ url }, response) => {
  if (url === '/d') response.end('words');
  else held = response;
});
let model: ModelServer;
let web: WebUnderTest;
let page: Page;
let hand: PageHand;

/** A reply that costs so many credits, and reads a page. */
const spend = (credits: number, path: string): Step => ({
  calls: [{ tool: 'fetch_url', input: { url: site.url + path } }],
  usage: { input: 1, output: credits * 1_000 },
});

beforeAll(async () => {
  await site.listen();
  model = await startModelServer();
  await model.script([
    { match: 'Read', steps: [spend(3, '/a'), spend(4, '/b'), spend(1, '/c'), spend(2, '/d'), { text: 'All is read.' }] },
    { match: 'Go on', steps: [spend(8, '/d'), { text: 'Words', end: 'stall' }] },
  ]);
  web = await WebUnderTest.start({
    ERRAND_MODEL: 'compatible/mock',
    ERRAND_MODEL_BASE_URL: model.openaiUrl,
    // A thousand tokens of a reply cost one credit.
    ERRAND_PRICES: '{"compatible/mock":{"input":0,"output":1000}}',
    ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
  });
  page = await web.open('/');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
  site.close();
});

/** Answers once the agent has asked for the page. */
async function letGo(): Promise<void> {
  await expect.poll(() => held).not.toBeNull();
  held?.writeHead(200, { 'content-type': 'text/plain' }).end('words');
  held = null;
}

describe('the budget of a reply on the page of its task', () => {
  it('is shown while it is spent, warned of, and raised where it is used up, without a reload', async () => {
    const taskId = await web.createTask('Read four pages', { budget: { credits: 10 } });
    await page.goto(`${web.base}/app/${taskId}`);
    const main = page.getByRole('main');
    await main.getByText('Budget: 3 of 10 used').waitFor();
    await letGo();
    await main.getByText('Budget: 7 of 10 used').waitFor();
    await letGo();
    const warning = main.getByText('Budget nearly used up: 8 of 10 used');
    await warning.waitFor();
    await examine(page, 'task-budget-warning');
    // Still there: what was examined is the page with the warning.
    expect(await warning.count()).toBe(1);
    await letGo();
    const stop = page.getByRole('article').filter({ hasText: 'Budget used up' });
    await stop.getByText('10 are used. Raise it, and the task continues.').waitFor();
    await examine(page, 'task-budget-used-up');
    expect(await stop.getByRole('link', { name: 'Decide in the inbox' }).getAttribute('href')).toBe('/inbox');
    await page.setViewportSize({ width: 390, height: 844 });
    await hand.press('Change budget', stop);
    await hand.dialog().getByRole('spinbutton', { name: 'Limit' }).fill('20');
    await hand.press('Save', hand.dialog());
    await page.getByText('All is read.', { exact: true }).waitFor();
    expect(await stop.getByRole('button').count()).toBe(0);
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });

  it.each([
    ['de', 'Budget fast verbraucht: 8 von 10 verbraucht', 'Stoppen'],
    ['es', 'Presupuesto casi agotado: 8 de 10 usados', 'Detener'],
    ['zh', '预算即将用完：已用 8 / 10', '停止'],
    ['en', 'Budget nearly used up: 8 of 10 used', 'Stop'],
  ])('leaves the stop button within a phone while it warns, in the language %s', async (locale, warning, stop) => {
    await web.callWeb('account.update', { locale });
    const taskId = await web.createTask('Go on', { budget: { credits: 10 } });
    await page.goto(`${web.base}/app/${taskId}`);
    const main = page.getByRole('main');
    await main.getByText(warning).waitFor();
    const button = main.getByRole('button', { name: stop });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      // The list of rows follows the width a moment later.
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const { x, width: length } = (await button.boundingBox()) ?? { x: width, width };
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + length).toBeLessThanOrEqual(width);
      expect(await main.getByText(warning).isVisible()).toBe(true);
    }
    await button.click();
    await main.getByText(warning).waitFor({ state: 'detached' });
  });
});
