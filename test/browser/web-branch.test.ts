import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let model: ModelServer;
let web: WebUnderTest;

beforeAll(async () => {
  model = await startModelServer();
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

async function titlesOf(): Promise<unknown[]> {
  return ((await web.call('task.list')).data as Answer[]).map(({ title }) => title);
}

/** What was said in a task, in order. */
async function readTalk(taskId: string): Promise<unknown[]> {
  const { messages } = await web.call('task.listMessages', { task_id: taskId, order: 'asc' });
  return (messages as Answer[]).flatMap(({ user_message: asked, assistant_message: answered }) => {
    const said = (asked ?? answered) as { content: string } | undefined;
    return said ? [said.content] : [];
  });
}

const messageOf = (log: Locator, text: string) => log.getByRole('article').filter({ hasText: text });

describe('a conversation', () => {
  it('goes on in a new task from a message in other words, once more, or after an answer, and its own task stays as it is', async () => {
    await model.script([
      { match: 'in yen', steps: [{ text: 'It is 500 yen.' }] },
      { match: 'in pounds', steps: [{ text: 'It is 4 pounds.' }] },
      { match: 'in francs', steps: [{ text: 'It is 5 francs.' }] },
      { match: 'What does it cost', steps: [{ text: 'It is 3 euros.' }] },
    ]);
    const first = await web.runTask(['What does it cost?'], [], { title: 'Prices' });
    const page = await web.open(`/app/${first}`);
    const log = page.getByRole('log', { name: 'Conversation' });
    const composer = page.getByLabel('Message to the agent');
    await composer.fill('And in pounds?');
    await composer.press('Enter');
    await log.getByText('It is 4 pounds.').waitFor();
    const whole = ['What does it cost?', 'It is 3 euros.', 'And in pounds?', 'It is 4 pounds.'];

    // In other words; what is written stays when the page is loaded again.
    const asked = messageOf(log, 'And in pounds?');
    await asked.getByRole('button', { name: 'Edit and continue in a new task' }).click();
    const editor = log.getByLabel('Edit message');
    await editor.press('Escape');
    await asked.getByRole('button', { name: 'Edit and continue in a new task' }).click();
    await editor.fill('And in yen?');
    await page.reload();
    await expect.poll(() => editor.inputValue()).toBe('And in yen?');
    await examine(page, 'task-edit');
    await editor.press('Enter');
    await log.getByText('It is 500 yen.').waitFor();
    await page.getByText('Continued in a new task. The first one stays as it is.').waitFor();
    const edited = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(edited).not.toBe(first);
    expect(await readTalk(edited)).toEqual([...whole.slice(0, 2), 'And in yen?', 'It is 500 yen.']);
    expect(await readTalk(first)).toEqual(whole);

    // Once more, from the answer.
    await messageOf(log, 'It is 500 yen.').getByRole('button', { name: 'Try again in a new task' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(edited));
    await log.getByText('It is 500 yen.').waitFor();
    expect(await titlesOf()).toEqual(['Prices', 'Prices', 'Prices']);

    // After an answer: the task waits for what comes next.
    await messageOf(log, 'It is 3 euros.').getByRole('button', { name: 'Continue in a new task', exact: true }).click();
    await log.getByText('It is 500 yen.').waitFor({ state: 'detached' });
    await composer.fill('And in francs?');
    await composer.press('Enter');
    await log.getByText('It is 5 francs.').waitFor();
    const branched = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(await readTalk(branched)).toEqual([...whole.slice(0, 2), 'And in francs?', 'It is 5 francs.']);
    await page.close();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });

  it('goes on after a failure at the press of a button, which only the newest failure has', async () => {
    await model.script([
      { match: 'Please try again.', steps: [{ text: 'Now it works.' }] },
      { match: 'Break', steps: [{ status: 400, body: '{"error":{"message":"no"}}' }], order: 'call', repeatsLast: true },
    ]);
    const page = await web.open('/');
    await page.getByRole('textbox').first().fill('Break');
    await page.keyboard.press('Enter');
    const log = page.getByRole('log', { name: 'Conversation' });
    const again = log.getByRole('button', { name: 'Try again', exact: true });
    await again.waitFor();
    await examine(page, 'task-failed');
    await again.click();
    await log.getByText('Now it works.').waitFor();
    expect(await log.getByText('Task failed').count()).toBe(1);
    expect(await again.count()).toBe(0);
    await page.close();
  });

  it('is rated answer by answer, with a reason that the agent page lists', async () => {
    await model.script([{ match: 'a haiku', steps: [{ text: 'An old silent pond.' }] }]);
    const taskId = await web.runTask(['Write a haiku'], [], { title: 'Haiku' });
    const page = await web.open(`/app/${taskId}`);
    const said = messageOf(page.getByRole('log', { name: 'Conversation' }), 'An old silent pond.');
    const bad = said.getByRole('button', { name: 'Bad answer' });
    await said.hover();
    await bad.click();
    await said.getByLabel('Reason').fill('It is not mine.');
    await examine(page, 'task-rating');
    await said.getByLabel('Reason').press('Enter');
    await expect.poll(() => said.getByLabel('Reason').count()).toBe(0);
    await page.reload();
    await expect.poll(() => bad.getAttribute('aria-pressed')).toBe('true');
    const rated = (await web.call('task.listRatings', { task_id: taskId })).data;
    expect(rated).toMatchObject([{ rating: 'down', reason: 'It is not mine.', message: 'An old silent pond.' }]);
    await page.goto(`${web.base}/agent?view=ratings`);
    await page.getByRole('list', { name: 'Ratings' }).getByText('It is not mine.').waitFor();
    await examine(page, 'agent-ratings');
    await page.getByRole('link', { name: 'An old silent pond.' }).click();
    await page.waitForURL(`**/app/${taskId}**`);
    await said.hover();
    await bad.click();
    await expect.poll(async () => (await web.call('task.listRatings', { task_id: taskId })).data).toEqual([]);
  });
});
