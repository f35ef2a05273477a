import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { audit } from './chromium.ts';
import { type Answer, examine, owner, WebUnderTest } from './web-under-test.ts';

const bob = 'bob@example.com';
const markup = '<img src=x onerror="document.title = 1">';

let model: ModelServer;
let web: WebUnderTest;
let member: BrowserContext;

beforeAll(async () => {
  model = await startModelServer();
  await model.script([
    {
      match: 'Choose a color',
      steps: [
        { calls: [{ tool: 'ask_user', input: { question: 'Which color?' } }] },
        { text: 'It is done.' },
        { text: 'Again.' },
      ],
    },
    { match: 'a haiku', steps: [{ text: 'An old silent pond.' }] },
  ]);
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
  member = await web.newMember(bob);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

const bench = (page: Page) =>
  page.getByRole('complementary', { name: 'Workbench' }).or(page.getByRole('dialog', { name: 'Workbench' }));
const tab = (page: Page) => bench(page).getByRole('tab', { name: /^Comments/ });
const list = (page: Page) => bench(page).getByRole('list', { name: 'Comments' });
const field = (page: Page) => bench(page).getByLabel('Write a comment');
const send = async (page: Page) => bench(page).getByRole('button', { name: 'Comment', exact: true }).click();

describe('comments on a task', () => {
  it('are written, mention members, are about messages, and reach teammates who read the task', async () => {
    const taskId = await web.runTask(['Write a haiku'], [], { title: 'Haiku', share_visibility: 'team' });
    const page = await web.open(`/app/${taskId}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    const theirs = await web.open(`/app/${taskId}`, member);
    await theirs.setViewportSize({ width: 1440, height: 900 });
    await tab(theirs).click();
    await bench(theirs).getByText('No comments yet').waitFor();
    await examine(theirs, 'task-comments-empty');

    const said = page.getByRole('log', { name: 'Conversation' }).getByRole('article').filter({ hasText: 'An old silent pond.' });
    await said.hover();
    await said.getByRole('button', { name: 'Comment on this message' }).click();
    await bench(page).getByText('About the chosen message').waitFor();
    await field(page).pressSequentially('Nice, @bo');
    await bench(page).getByRole('option', { name: bob }).waitFor();
    expect(await audit(page, false)).toEqual([]);
    await field(page).press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe(`Nice, @${bob} `);
    await examine(page, 'task-comments-mention');
    await field(page).pressSequentially('isn’t it?');
    await field(page).press('Enter');
    await list(page).getByText(`@${bob}`).waitFor();
    expect(await field(page).inputValue()).toBe('');

    // Without a reload.
    await list(theirs).getByText('isn’t it?').waitFor();
    await list(theirs).getByText(owner.email).waitFor();
    expect(await list(theirs).getByRole('button', { name: 'Edit comment' }).count()).toBe(0);
    await list(theirs).getByRole('button', { name: 'About a message' }).click();
    await field(theirs).fill(markup);
    await send(theirs);
    await list(page).getByText(markup).waitFor();
    await expect.poll(() => tab(page).innerText()).toBe('Comments (2)');
    await examine(page, 'task-comments');

    const own = list(theirs).getByRole('listitem').filter({ hasText: markup });
    await own.hover();
    await own.getByRole('button', { name: 'Edit comment' }).click();
    await bench(theirs).getByLabel('Edit comment').fill('It is.');
    await bench(theirs).getByRole('button', { name: 'Save' }).click();
    await list(theirs).getByText('It is.').waitFor();
    await list(theirs).getByText('edited', { exact: true }).waitFor();
    const last = list(page).getByRole('listitem').filter({ hasText: 'It is.' });
    await last.hover();
    await last.getByRole('button', { name: 'Delete comment' }).click();
    await page.getByRole('dialog', { name: 'Delete this comment?' }).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(1);

    const [{ id }] = (await web.call('task.listComments', { task_id: taskId })).data as [{ id: string }];
    await page.goto(`${web.base}/app/${taskId}#comment-${id}`);
    await page.reload();
    await list(page).getByText('isn’t it?').waitFor();
    expect(JSON.stringify(await model.calls())).not.toContain('isn’t it?');
    await page.close();
    await theirs.close();
  });

  it('open from a sheet on a phone', async () => {
    const taskId = await web.runTask(['Write a haiku'], [], { title: 'Haiku', share_visibility: 'team' });
    await web.call('task.comment', { task_id: taskId, text: 'Short enough for a phone.' });
    const page = await web.open(`/app/${taskId}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Show workbench' }).click();
    await tab(page).click();
    await list(page).getByText('Short enough for a phone.').waitFor();
    await field(page).fill('From a phone.');
    await send(page);
    await list(page).getByText('From a phone.').waitFor();
    expect(await list(page).getByRole('listitem').count()).toBe(2);
    await examine(page, 'task-comments-phone');
    await page.close();
  });
});

describe('a task that is handed over', () => {
  it('is shared with the team, answered by its assignee, listed there, and given back', async () => {
    const taskId = await web.createTask('Choose a color', { interactive_mode: true, title: 'Colors' });
    const page = await web.open(`/app/${taskId}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText('Which color?').first().waitFor();
    await page.getByRole('button', { name: 'More task actions' }).click();
    await page.getByRole('menuitem', { name: 'Hand over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over this task' });
    await dialog.getByText('This also shares the task with your team.').waitFor();
    await dialog.getByLabel('Member').selectOption(bob);
    await examine(page, 'task-hand-over');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await page.getByText(`With ${bob}`).first().waitFor();

    const theirs = await web.open('/', member);
    await theirs.getByRole('combobox', { name: 'Status' }).selectOption('assigned');
    const assigned = theirs.getByRole('list', { name: 'Assigned to you' });
    await assigned.getByRole('link', { name: 'Colors' }).waitFor();
    await examine(theirs, 'tasks-assigned');
    await assigned.getByRole('link', { name: 'Colors' }).click();
    await theirs.getByText(`${owner.email} handed this task over to you.`).waitFor();
    const composer = theirs.getByLabel('Message to the agent');
    expect(await theirs.getByRole('button', { name: 'Attach files' }).count()).toBe(0);
    await examine(theirs, 'task-handed-over');
    await composer.fill('The blue one.');
    await composer.press('Enter');
    await theirs.getByText('It is done.', { exact: true }).waitFor();
    // Each of them reads who wrote what, and a member who only reads does too.
    const said = (shown: Page, text: string) =>
      shown.getByRole('log', { name: 'Conversation' }).getByRole('article').filter({ hasText: text });
    await said(page, 'The blue one.').getByText(bob).waitFor();
    await said(page, 'Choose a color').getByText('You', { exact: true }).waitFor();
    await said(theirs, 'The blue one.').getByText('You', { exact: true }).waitFor();
    await said(theirs, 'Choose a color').getByText(owner.email).waitFor();
    await examine(page, 'task-authors');
    const readers = await web.open(`/app/${taskId}`, await web.newMember('eve@example.com'));
    await said(readers, 'The blue one.').getByText(bob).waitFor();
    await said(readers, 'Choose a color').getByText(owner.email).waitFor();
    await readers.close();

    await theirs.getByRole('button', { name: 'More task actions' }).click();
    await theirs.getByRole('menuitem', { name: 'Give back' }).click();
    await theirs.getByText('only the owner can reply').waitFor();
    await expect.poll(() => page.getByText(`With ${bob}`).count()).toBe(0);
    expect(((await web.call('task.detail', { task_id: taskId })).task as Answer).assignee).toBeUndefined();
    await page.close();
    await theirs.close();
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
