import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/developers/requests');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const rows = () => page.getByRole('table', { name: 'Requests' }).getByRole('row');

describe('the page of requests', () => {
  it('says that there are none, and then shows those of programs as they come', async () => {
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await examine(page, 'requests-empty');
    await web.call('task.create', { message: { content: 'say hello' } });
    await expect(web.call('task.detail', { task_id: 'unknown' })).rejects.toThrow();
    await rows().getByText('POST /v2/task.create').waitFor();
    await rows().getByText('not_found').waitFor();
    await examine(page, 'requests');
  });

  it('is filtered by status and path', async () => {
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Refused (4xx)' });
    await rows().getByText('POST /v2/task.create').waitFor({ state: 'detached' });
    // Nothing is shown either until the filtered rows have come.
    await rows().getByText('GET /v2/task.detail').waitFor();
    expect(await rows().getByText('POST /v2/task.create').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'All statuses' });
    await page.getByRole('searchbox', { name: 'Part of the path' }).fill('nothing.here');
    await hand.press('Filter');
    await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
    await page.getByRole('searchbox', { name: 'Part of the path' }).fill('create');
    await hand.press('Filter');
    await rows().getByText('POST /v2/task.create').waitFor();
  });

  it('shows one with its body, and sends it again after a confirmation', async () => {
    await hand.press('POST /v2/task.create');
    const dialog = hand.dialog('POST /v2/task.create');
    await dialog.getByText('say hello').waitFor();
    await examine(page, 'request');
    await hand.press('Replay', dialog);
    const question = hand.dialog('Replay this request?');
    await question.getByText('It runs again with your own rights').waitFor();
    await hand.press('Replay', question);
    await dialog.getByText('"task_id"').waitFor();
    await examine(page, 'request-replayed');
    const { data } = (await web.call('task.list')) as { data: { title: string }[] };
    expect(data).toHaveLength(2);
  });

  it('stays where its reader is, while more requests come', async () => {
    await page.evaluate(`Element.prototype.scrollIntoView = () => document.body.setAttribute('data-jumped', '')`);
    const read = () => page.waitForResponse((response) => response.url().includes('/v2/request.list'));
    await web.call('task.create', { message: { content: 'say more' } });
    // What is shown when the second answer comes has the first.
    for (let round = 0; round < 3; round += 1) await read();
    expect(await page.locator('[data-jumped]').count()).toBe(0);
  });

  it('says once why one could not be sent again', async () => {
    await page.route('**/v2/task.create', (route) => route.abort());
    await hand.press('Replay', hand.dialog('POST /v2/task.create'));
    const question = hand.dialog('Replay this request?');
    await hand.press('Replay', question);
    const problem = page.getByText('Failed to fetch');
    await problem.first().waitFor();
    await expect.poll(() => question.getByRole('button', { name: 'Replay' }).isEnabled()).toBe(true);
    expect(await problem.count()).toBe(1);
    await page.unroute('**/v2/task.create');
    await hand.press('Cancel', question);
    await question.waitFor({ state: 'detached' });
  });

  it('says why one cannot be sent again', async () => {
    await page.keyboard.press('Escape');
    const verification = { type: 'secret', header: 'x-secret', secret: 'canary-canary-canary' };
    await web.call('trigger.create', { name: 'Garden', message_template: 'say hello', verification });
    await page.getByRole('searchbox', { name: 'Part of the path' }).fill('trigger');
    await hand.press('Filter');
    await hand.press('POST /v2/trigger.create');
    const dialog = hand.dialog('POST /v2/trigger.create');
    await dialog.getByText('It can’t be replayed: secrets or files were removed from it.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
    expect(await page.content()).not.toContain('canary');
  });
});
