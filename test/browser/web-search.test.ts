import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/service/service-client.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let taskId = '';

const searchbox = () => page.getByRole('searchbox', { name: 'Search tasks' });
const rows = () => page.getByRole('list', { name: 'Tasks', exact: true }).getByRole('listitem');

/** Sends a message and waits for the end of the turn. */
async function send(operation: 'task.create' | 'task.sendMessage', content: string, more: object = {}): Promise<string> {
  const answer = await web.call(operation, { message: { content }, ...more });
  const id = String(answer.task_id);
  await eventually('the end of the turn', async () => {
    const { task } = (await web.call('task.detail', { task_id: id })) as { task: { status: string } };
    return task.status === 'running' ? null : task.status;
  });
  return id;
}

beforeAll(async () => {
  web = await WebUnderTest.start();
  taskId = await send('task.create', 'say Aardvarks eat <b>termites</b> & more', { title: 'Animals' });
  for (let turn = 0; turn < 12; turn += 1)
    await send('task.sendMessage', `say turn ${turn}\n\n${'long '.repeat(200)}`, { task_id: taskId });
  await send('task.create', 'write zebra.md with a quagga is extinct', { title: 'Report' });
  page = await web.open('/');
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

describe('the search among tasks', () => {
  it('shows what was found and where, with the words marked as text', async () => {
    await searchbox().fill('termites aard');
    await rows().getByText('In a reply:').waitFor();
    expect(await rows().count()).toBe(1);
    expect(await rows().locator('mark').allInnerTexts()).toEqual(['Aardvarks', 'termites']);
    expect(await rows().innerText()).toContain('<b>termites</b>');
    expect(await rows().getByRole('heading').allInnerTexts()).toEqual(['Today']);
    await examine(page, 'search-found');
  });

  it('leads to the message that was found', async () => {
    await rows().getByRole('link', { name: 'Animals' }).click();
    await page.waitForURL(/#at-/);
    const found = page.getByRole('log').getByText('Aardvarks eat').last();
    await found.waitFor();
    await expect.poll(() => found.isVisible()).toBe(true);
    await page.goBack();
  });

  it('finds what is in files, and says when nothing was found', async () => {
    await searchbox().fill('QUAGGA extinct');
    await rows().getByText('In a file:').waitFor();
    await searchbox().fill('unicorns');
    await page.getByText('No matching tasks').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => rows().count()).toBe(2);
  });

  it('finds the same from the command palette', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('aardvarks');
    const option = page.getByRole('option').filter({ hasText: 'In a reply:' });
    await option.waitFor();
    await examine(page, 'search-commands');
    await option.click();
    await page.waitForURL(`**/app/${taskId}#at-*`);
    expect(await page.getByRole('combobox', { name: 'Commands' }).count()).toBe(0);
  });
});
