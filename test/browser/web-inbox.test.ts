import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

const bob = 'bob@example.com';

let model: ModelServer;
let web: WebUnderTest;
let page: Page;
let hand: PageHand;
let member: BrowserContext;

beforeAll(async () => {
  model = await startModelServer();
  await model.script([
    {
      match: 'Order tea',
      steps: [{ calls: [{ tool: 'ask_user', input: { question: 'Which **kind**?' } }] }, { text: 'Ordered.' }],
    },
    {
      match: 'Tidy up',
      steps: [{ calls: [{ tool: 'run_shell', input: { command: 'rm -r /memory/drafts' } }] }, { text: 'Tidied.' }],
    },
    { match: 'Break', steps: [{ status: 400 }] },
    {
      match: 'Choose a color',
      steps: [
        { calls: [{ tool: 'ask_user', input: { question: 'Which color?', suggestions: ['Blue', 'Green'] } }] },
        { text: 'Done.' },
      ],
    },
  ]);
  web = await WebUnderTest.start({ ERRAND_MODEL: 'compatible/mock', ERRAND_MODEL_BASE_URL: model.openaiUrl });
  member = await web.newMember(bob);
  page = await web.open('/inbox');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await model.stop();
});

const begin = (text: string, more: Answer = {}) => web.createTask(text, { interactive_mode: true, title: text, ...more });
const item = (kind: string, on = page) => on.getByRole('article', { name: kind });
const waiting = (on = page) => on.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ });

describe('the inbox', () => {
  it('explains itself while nothing waits', async () => {
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    expect(await waiting().innerText()).toBe('Inbox');
    await examine(page, 'inbox-empty');
  });

  it('shows without a reload what begins to wait, and counts it in the navigation', async () => {
    await begin('Order tea');
    await begin('Tidy up');
    await begin('Break');
    await item('Question').getByText('kind', { exact: true }).waitFor();
    await item('Confirmation').getByText('rm -r /memory/drafts').waitFor();
    await item('Failure').waitFor();
    await expect.poll(() => waiting().innerText()).toContain('3 waiting for you');
    await item('Failure').getByRole('link', { name: 'Break' }).waitFor();
    await examine(page, 'inbox');
  });

  it('shows one kind of item alone', async () => {
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('confirmation');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('sign_in');
    await page.getByRole('heading', { name: 'Nothing of this kind' }).waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('');
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
  });

  it('takes an answer, a decision with a note, and a dismissal in place', async () => {
    const send = item('Question').getByRole('button', { name: 'Send answer' });
    expect(await send.isDisabled()).toBe(true);
    await hand.field('Your answer', item('Question')).fill('Green tea.');
    await send.click();
    await hand.said('Decided. The task continues.').waitFor();
    await expect.poll(() => item('Question').count()).toBe(0);
    await hand.press('Add a note', item('Confirmation'));
    await hand.field('Note', item('Confirmation')).fill('They are old.');
    await hand.press('Allow', item('Confirmation'));
    await expect.poll(() => item('Confirmation').count()).toBe(0);
    await hand.press('Dismiss', item('Failure'));
    await hand.said('Dismissed.').waitFor();
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    await expect.poll(() => waiting().innerText()).toBe('Inbox');
  });

  it('lists what was decided, by whom, how, and why', async () => {
    await page.getByRole('combobox', { name: 'Show' }).selectOption('decided');
    await item('Question').getByText('Green tea.').waitFor();
    await item('Confirmation').getByText('Note: They are old.').waitFor();
    await item('Confirmation').getByText('Allowed').waitFor();
    await item('Failure').getByText('Dismissed').waitFor();
    expect(await page.getByText('Decided by you').count()).toBe(3);
    await examine(page, 'inbox-decided');
    await page.reload();
    await item('Question').getByText('Green tea.').waitFor();
  });

  it('lets a teammate decide what is assigned to them, and nothing else', async () => {
    await page.goto(`${web.base}/inbox`);
    const taskId = await begin('Choose a color');
    await item('Question').waitFor();
    await page.getByLabel('Assigned to').selectOption(bob);
    await page
      .getByRole('alert')
      .getByText(/share the task with your team first/)
      .waitFor();
    await web.call('task.update', { task_id: taskId, share_visibility: 'team' });
    const bobPage = await web.open('/inbox', member);
    await item('Question', bobPage).getByText('Only the task’s owner').waitFor();
    expect(await item('Question', bobPage).getByRole('textbox').count()).toBe(0);
    // Who may not answer reads what is suggested.
    expect(await item('Question', bobPage).getByRole('listitem').allInnerTexts()).toEqual(['Blue', 'Green']);
    await page.getByLabel('Assigned to').selectOption(bob);
    await hand.said('Assigned.').waitFor();
    // It waits for somebody else now.
    await expect.poll(() => waiting().innerText()).toBe('Inbox');
    await bobPage.reload();
    await expect.poll(() => waiting(bobPage).innerText()).toContain('1 waiting for you');
    expect(await item('Question', bobPage).getByRole('listitem').count()).toBe(0);
    await examine(bobPage, 'inbox-suggestions');
    await item('Question', bobPage).getByRole('button', { name: 'Blue' }).click();
    await bobPage.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    await page.goto(`${web.base}/inbox?view=decided`);
    await page.getByText('Blue', { exact: true }).last().waitFor();
    await page.getByText(`Decided by ${bob}`).waitFor();
    await page.getByText(`Assigned to ${bob}`).waitFor();
  });

  it('says that somebody else was faster, and shows what is left', async () => {
    await page.goto(`${web.base}/inbox`);
    await begin('Order tea');
    await item('Question').waitFor();
    const { data } = (await web.call('inbox.list')) as { data: { id: string }[] };
    await page.route(/inbox\.list/, (route) => route.abort());
    await web.call('inbox.decide', { id: data[0]?.id, answer: 'Black tea.' });
    await hand.field('Your answer', item('Question')).fill('Green tea.');
    await hand.press('Send answer', item('Question'));
    await page
      .getByRole('alert')
      .getByText(/decided already/)
      .waitFor();
    await page.unroute(/inbox\.list/);
    await page.reload();
    await expect.poll(() => page.getByRole('article').count()).toBe(0);
  });

  it('shows items of a kind that it does not know, with the fields that they ask for', async () => {
    const properties = { accept: { type: 'boolean' }, credits: { type: 'number', title: 'Credits' } };
    const unknown = {
      ...{ id: 'task-1', task_id: 'task', task_title: 'Long research', type: 'something_new', created_at: 1_800_000_000 },
      ...{ text: 'The task has used what it may cost.', input_schema: { type: 'object', properties } },
    };
    await page.route(/inbox\.list/, async (route) => {
      const answer = await route.fetch();
      const { account } = await web.callWeb('session.show');
      const data = [{ ...unknown, owner: (account as { id: string }).id }];
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as Answer), data } });
    });
    let sent: unknown;
    await page.route(/inbox\.decide/, async (route) => {
      sent = route.request().postDataJSON();
      await route.fulfill({ json: { ok: true, request_id: 'r', decided: true } });
    });
    await page.reload();
    await item('Decision').getByText('The task has used what it may cost.').waitFor();
    await hand.field('Credits', item('Decision')).fill('20');
    await hand.press('Accept', item('Decision'));
    await hand.said('Decided. The task continues.').waitFor();
    expect(sent).toEqual({ id: 'task-1', accept: true, input: { credits: 20 } });
  });

  it('caused no error, no policy violation, and no request to another host in all of this', () => {
    expect(web.troubles).toEqual({ errors: [], dialogs: [], strangers: [], violations: [] });
  });
});
