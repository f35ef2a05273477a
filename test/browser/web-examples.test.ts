import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/');
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const workbench = () => page.getByRole('complementary', { name: 'Workbench' });

describe('a recorded example', () => {
  it('shows how a finished task was done, and its results, without asking the service about a task', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('link', { name: 'A guest list without duplicates' }).click();
    await page.waitForURL('**/examples/guest-list');
    await page.getByText('Recorded', { exact: true }).waitFor();
    await page.getByText('This is a recording of a finished task.').waitFor();
    await workbench().getByRole('cell', { name: 'Ana Torres' }).waitFor();
    await examine(page, 'example');
    await page.getByRole('tab', { name: 'Steps' }).click();
    await workbench().getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'guests-clean.xlsx' }).first().waitFor();
    expect(asked.filter((path) => /task\.(detail|listMessages|stream|show)|artifact\.list/.test(path))).toEqual([]);
  });

  it('plays from the beginning to its end, and pauses where somebody takes the scrubber', async () => {
    // A clock is that of all pages of its context.
    const context = await web.newMember('eve@example.com');
    const playing = await context.newPage();
    await playing.clock.install({ time: 1_000 });
    await playing.goto(`${web.base}/examples/bank-deck`);
    await playing.getByRole('button', { name: 'Play' }).waitFor();
    await playing.clock.pauseAt(60_000);
    const slider = playing.getByRole('slider', { name: 'Replay' });
    await playing.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => slider.inputValue()).toBe('1');
    await playing.clock.runFor(1_300);
    await expect.poll(() => slider.inputValue()).toBe('2');
    await slider.focus();
    await playing.keyboard.press('ArrowRight');
    await playing.getByRole('button', { name: 'Play' }).waitFor();
    expect(await slider.inputValue()).toBe('3');
    await playing.getByRole('button', { name: 'Play' }).click();
    for (let step = 3; (await playing.getByRole('button', { name: 'Pause' }).count()) > 0 && step < 40; step += 1)
      await playing.clock.runFor(1_300);
    expect(await slider.inputValue()).toBe(await slider.getAttribute('max'));
    await context.close();
  });

  it('puts its request into the message field', async () => {
    await page.getByRole('link', { name: 'Use this request' }).click();
    await page.waitForURL('**/#new');
    expect(await page.getByRole('textbox', { name: 'Task description' }).inputValue()).toMatch(
      /^Please clean up this guest list/,
    );
  });

  it('runs nothing of a tampered recording, and loads nothing that it names', async () => {
    const other = await web.open('/');
    const said = '<img src=x onerror=alert(1)>[link](javascript:alert(2)) ![p](https://evil.example/p.png)';
    const attachments = [
      { type: 'file', filename: 'second-bakery.pdf', url: 'https://evil.example/x.pdf', content_type: 'application/pdf' },
      { type: 'file', filename: '../../app.html', url: 'https://evil.example/x.html', content_type: 'text/html' },
    ];
    const base = { timestamp: 1_790_000_000_000 };
    const messages = [
      { ...base, id: '0001', type: 'user_message', user_message: { content: said, message_type: 'text', attachments: [] } },
      { ...base, id: '0002', type: 'assistant_message', assistant_message: { content: said, attachments } },
    ];
    await other.route(/\/assets\/run-[^/]*\.json$/, (route) => route.fulfill({ json: { title: said, messages } }));
    await other.goto(`${web.base}/examples/bank-deck`);
    await other.getByText('onerror').first().waitFor();
    expect(await other.getByText('app.html').count()).toBe(0);
    expect(await other.locator('[src*=evil], [href*=evil]').count()).toBe(
      await other.locator('a[href*="evil.example/p.png"]').count(),
    );
    await other.close();
  });

  it('that does not exist says so', async () => {
    await page.goto(`${web.base}/examples/nowhere`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
