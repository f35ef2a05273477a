import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/schedules');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const times = () => page.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
const choose = (name: string, label: string) => page.getByRole('combobox', { name, exact: true }).selectOption({ label });
const listed = async () => ((await web.call('schedule.list')) as { data: Answer[] }).data;

describe('a schedule', () => {
  it('is made from a preset, and shows when it will run before it exists', async () => {
    await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
    await examine(page, 'schedules-empty');
    await hand.press('New schedule');
    await hand.field('Name').fill('Weekly report');
    await hand.field('Task description').fill('say the report');
    await choose('When', 'Every week');
    await choose('Day', 'Friday');
    await page.getByLabel('Time', { exact: true }).fill('17:30');
    await page.getByLabel('Time zone').fill('Asia/Tokyo');
    await expect.poll(() => times().count()).toBe(10);
    await expect.poll(() => times().first().innerText()).toMatch(/^Fri.*\b(17|5):30/);
    const shown = await times().locator('time').allInnerTexts();
    await examine(page, 'schedules-new');
    await hand.press('Create', hand.dialog());
    await page.waitForURL('**/schedules/*');
    await page.getByRole('heading', { name: 'Weekly report' }).waitFor();
    await page.getByText('Every Friday at 5:30 PM').waitFor();
    expect(await times().locator('time').allInnerTexts()).toEqual(shown);
    const wanted = { cron: '30 17 * * 5', time_zone: 'Asia/Tokyo', overlap: 'skip', catch_up: 'last', conversation: 'new' };
    expect(await listed()).toMatchObject([{ name: 'Weekly report', ...wanted, message: { content: 'say the report' } }]);
  });

  it('is run by hand, and lists its runs with their tasks', async () => {
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    await hand.press('Run now');
    await hand.said('Task started.').waitFor();
    await page.getByRole('table', { name: 'History' }).getByText('Started').waitFor();
    await examine(page, 'schedule');
    await page.getByRole('link', { name: /^Open task/ }).click();
    await page.waitForURL('**/app/*');
    await page.getByText('the report', { exact: true }).last().waitFor();
    expect(await listed()).toMatchObject([{ runs: 1, last_outcome: 'started', task_id: new URL(page.url()).pathname.slice(5) }]);
    await page.goBack();
  });

  it('is paused and resumed where it is listed', async () => {
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByText(/^Next run in/).waitFor();
    await page.getByText('Last run').waitFor();
    await examine(page, 'schedules');
    await page.getByRole('switch', { name: 'Active Weekly report' }).click();
    await hand.said('Weekly report is paused.').waitFor();
    expect(await page.getByText(/^Next run/).count()).toBe(0);
    expect(await listed()).toMatchObject([{ status: 'paused', next_run_at: null }]);
    await page.getByRole('switch', { name: 'Paused Weekly report' }).click();
    await page.getByText(/^Next run in/).waitFor();
  });

  it('is edited: what is wrong with its times appears at the field', async () => {
    await page.getByRole('link', { name: 'Weekly report', exact: true }).click();
    await hand.press('Edit');
    await choose('When', 'Cron expression');
    await hand.field('Cron expression').fill('0 9 31 2 *');
    await hand.dialog().getByRole('alert').getByText('Can never fire').waitFor();
    await hand.field('Cron expression').fill('*/30 8-9 * * mon-fri');
    await expect.poll(() => hand.dialog().getByRole('listitem').count()).toBe(10);
    await choose('If the last run isn’t finished', 'Wait for it');
    await hand.field('Name').fill('Figures');
    await hand.press('Save', hand.dialog());
    await page.getByRole('heading', { name: 'Figures' }).waitFor();
    expect(await listed()).toMatchObject([{ name: 'Figures', cron: '*/30 8-9 * * mon-fri', overlap: 'queue' }]);
  });

  it('keeps its times if they are not changed', async () => {
    const before = await listed();
    await web.call('schedule.update', { schedule_id: before[0]?.id, interval_seconds: 3_600 });
    await page.reload();
    const [{ next_run_at: next } = { next_run_at: null }] = await listed();
    await page.getByText('Every 1 hour').waitFor();
    await hand.press('Edit');
    await hand.field('Name').fill('Hourly figures');
    await hand.press('Save', hand.dialog());
    await page.getByRole('heading', { name: 'Hourly figures' }).waitFor();
    expect(await listed()).toMatchObject([{ name: 'Hourly figures', interval_seconds: 3_600, next_run_at: next }]);
  });

  it('is deleted after confirmation, and missing from then on', async () => {
    const address = page.url();
    await hand.press('Delete');
    await hand.press('Delete', hand.dialog('Delete Hourly figures?'));
    await hand.said('Schedule deleted.').waitFor();
    await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
    expect(await listed()).toEqual([]);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it('for one time is entered by the clock of the browser', async () => {
    await page.goto(`${web.base}/schedules`);
    await hand.press('New schedule');
    await hand.field('Name').fill('New year');
    await hand.field('Task description').fill('say happy new year');
    await choose('When', 'Once');
    await page.getByLabel('Date and time').fill('2040-01-01T00:00');
    await expect.poll(() => times().count()).toBe(1);
    await hand.press('Create', hand.dialog());
    await page.waitForURL('**/schedules/*');
    const at = await page.evaluate<number>('new Date("2040-01-01T00:00").getTime() / 1000');
    expect(await listed()).toMatchObject([{ name: 'New year', run_at: at, cron: null }]);
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
