import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageHand } from './page-hand.ts';
import { examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/developers');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const answer = () => page.getByRole('region', { name: 'Response' });
const search = () => page.getByRole('searchbox', { name: 'Search operations, fields, and descriptions' });

/** Opens an operation without loading the application again. */
async function find(words: string, name: string): Promise<void> {
  await page.getByRole('link', { name: 'API reference' }).first().click();
  await search().fill(words);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name }).waitFor();
}

describe('the reference', () => {
  it('lists every operation by resource, and finds one by a word of its fields', async () => {
    await page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'task.create', exact: true }).waitFor();
    await examine(page, 'reference');
    await search().fill('structured_output_schema');
    await page.getByText('Field: structured_output_schema').first().waitFor();
    await page.getByRole('link', { name: 'webhook.list', exact: true }).waitFor({ state: 'detached' });
    await search().fill('nothing is called this');
    await page.getByRole('heading', { name: 'No matching operations' }).waitFor();
    expect(await page.getByRole('status').getByText('0 operations').count()).toBe(1);
  });

  it('has a URL for each operation, with fields, bounds, and samples with the URL of this service', async () => {
    await page.goto(`${web.base}/developers/reference/task.create`);
    await page.getByRole('heading', { name: 'task.create' }).waitFor();
    await expect.poll(() => page.title()).toContain('task.create');
    await page.getByText('Uses credits').waitFor();
    const samples = page.getByRole('tablist', { name: 'Samples' });
    for (const [name, text] of [
      ['curl', `curl -X POST '${web.base}/v2/task.create'`],
      ['TypeScript', 'await errand.task.create({'],
      ['Python', 'errand.task.create('],
      ['Go', 'client.Task.Create(context.Background(), &request)'],
    ] as const) {
      await samples.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).getByText(text).waitFor();
    }
    await examine(page, 'reference-operation');
  });

  it('makes the same request in the form, the JSON, and the samples', async () => {
    await hand.field('content').fill('say what the reference sent');
    await page.getByRole('tabpanel', { name: 'Go' }).getByText('"say what the reference sent"').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = hand.field('JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({
      message: { content: 'say what the reference sent' },
      title: 'A greeting',
    });
    await json.fill('{"message": ');
    await page.getByText('This isn’t a JSON object.').waitFor();
    // What cannot be read is not sent.
    await hand.press('Send request');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await json.fill('{"message": {"content": "say hello"}, "title": "From the reference"}');
    await page.getByRole('tab', { name: 'Form' }).click();
    expect(await hand.field('title').inputValue()).toBe('From the reference');
  });

  it('sends it with the sign-in, after asking about the cost, and shows status, time, headers, and body', async () => {
    await hand.press('Send request');
    const question = hand.dialog('Call task.create?');
    await question.getByText('uses credits').waitFor();
    expect((await web.call('task.list')).data).toEqual([]);
    await hand.press('Send request', question);
    await answer().getByText('"task_id"').waitFor();
    await answer().getByText('200', { exact: true }).waitFor();
    await answer().getByText('x-request-id').waitFor();
    await answer().getByText(/\d ms/).waitFor();
    await examine(page, 'reference-answer');
    const { data } = (await web.call('task.list')) as { data: { title: string }[] };
    expect(data.map(({ title }) => title)).toEqual(['From the reference']);
  });

  it('shows a refusal at its field', async () => {
    await find('task.list', 'task.list');
    await hand.field('limit').fill('1000');
    await hand.press('Send request');
    await answer().getByText('400', { exact: true }).waitFor();
    const limit = hand.field('limit');
    await expect.poll(() => limit.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('alert').getByText(/limit/).waitFor();
    await limit.fill('five');
    await page.getByText('Enter a number.').waitFor();
  });

  it('sends what deletes only after a confirmation', async () => {
    const { data } = (await web.call('task.list')) as { data: { id: string }[] };
    await find('task.delete', 'task.delete');
    await hand.field('task_id').fill(data[0]?.id ?? '');
    await hand.press('Send request');
    const question = hand.dialog('Call task.delete?');
    await question.getByText('This can’t be undone.').waitFor();
    await hand.press('Cancel', question);
    await question.waitFor({ state: 'detached' });
    expect(((await web.call('task.list')) as { data: unknown[] }).data).toHaveLength(1);
  });

  it('asks before a sample replaces what is set, and shows no secret that is typed', async () => {
    await find('model.setKey', 'model.setKey');
    await page.getByText('Replaces', { exact: true }).waitFor();
    const secret = hand.field('api_key');
    await secret.fill('sesame-of-the-provider');
    expect([await secret.getAttribute('type'), await secret.getAttribute('autocomplete')]).toEqual(['password', 'new-password']);
    await page.getByRole('tabpanel').getByText('"api_key": "…"').first().waitFor();
    expect((await page.locator('pre').allTextContents()).join('\n')).not.toContain('sesame-of-the-provider');
    await hand.press('Send request');
    const question = hand.dialog('Call model.setKey?');
    await question.getByText('It replaces what is set now.').waitFor();
    await hand.press('Cancel', question);
    await question.waitFor({ state: 'detached' });
    expect(await answer().count()).toBe(0);
  });

  it('asks before an operation of the first version deletes', async () => {
    await find('delete.v1.tasks', 'delete.v1.tasks.task_id');
    await hand.field('task_id').fill('bkVZvJ2PqRsTuVwXyZ1234');
    await page.getByLabel('API key', { exact: true }).fill('sesame');
    await hand.press('Send request');
    const question = hand.dialog('Call delete.v1.tasks.task_id?');
    await question.getByText('This can’t be undone.').waitFor();
    await hand.press('Cancel', question);
    await question.waitFor({ state: 'detached' });
    expect(await answer().count()).toBe(0);
  });

  it('takes a key of the person, with whose rights alone it asks, and which is nowhere but in the header', async () => {
    await web.operate('account.create', { email: 'eve@example.com', password: 'a long password of eve' });
    const { api_key: key } = await web.operate('key.create', { name: 'page' }, 'eve@example.com');
    const secret = String(key);
    await find('task.list', 'task.list');
    await page.getByRole('combobox', { name: 'Send as' }).selectOption({ label: 'API key' });
    await page.getByLabel('API key', { exact: true }).fill(secret);
    const sent = page.waitForRequest((request) => request.url().includes('/v2/task.list'));
    await hand.press('Send request');
    const headers = await (await sent).allHeaders();
    expect([headers['x-service-api-key'], headers.cookie, headers['x-errand-web']]).toEqual([secret, undefined, undefined]);
    // The tasks of the owner, who is signed in, are nothing to that key.
    await answer().getByText('"data": []').waitFor();
    // It is kept for the next operation, and not beyond this page.
    await find('task.detail', 'task.detail');
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe(secret);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])'),
    ).not.toContain(secret);
    expect(await page.locator('pre').allTextContents()).not.toContain(secret);
    await page.reload();
    await page.getByRole('heading', { name: 'task.detail' }).waitFor();
    expect(await page.getByLabel('API key', { exact: true }).count()).toBe(0);
  });

  it('shows a stream as it comes, until it is stopped', async () => {
    const taskId = await web.createTask('ask Which color?');
    await page.goto(`${web.base}/developers/reference/task.stream`);
    await hand.field('task_id').fill(taskId);
    await hand.press('Send request');
    await answer().getByText('Which color?').first().waitFor();
    await answer().getByText('Receiving…').waitFor();
    await hand.press('Stop');
    await answer().getByText('Receiving…').waitFor({ state: 'detached' });
    expect(await answer().getByText('Which color?').count()).toBeGreaterThan(0);
  });

  it('says that an operation does not exist', async () => {
    await page.goto(`${web.base}/developers/reference/task.nothing`);
    await page.getByRole('heading', { name: 'No such operation' }).waitFor();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
